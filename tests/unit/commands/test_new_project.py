"""`kernel-ledger new FOLDER`: a project that works, and never over something that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.commands.new_project import new_project
from workbench.errors import WrongInput
from workbench.model.project_file import code_of, read_project
from workbench.model.source import read_source


def test_a_new_project_can_be_read_and_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mein Kern ü"
    file = new_project(folder)
    project = read_project(folder)
    assert file == folder / "ledger.toml"
    assert project.name == "mein Kern ü"
    assert project.runs_python
    assert code_of(project, read_source(folder / project.kernel.source)).entry == "saxpy"
    assert "# x and y are read, y is written" in file.read_text(encoding="utf-8")


def test_an_empty_folder_is_used_as_it_is(tmp_path: Path) -> None:
    new_project(tmp_path)
    assert read_project(tmp_path).name == tmp_path.name


def test_a_folder_with_anything_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(WrongInput, match="is not empty; nothing was written"):
        new_project(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(WrongInput, match="is a file; name a folder"):
        new_project(tmp_path / "taken")


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(WrongInput, match="cannot be written"):
        new_project(tmp_path / "taken" / "below")
