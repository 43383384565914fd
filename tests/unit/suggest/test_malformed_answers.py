"""Answers as models really give them, and what becomes of each (small files of our own; the collected ones where they are)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.analysis.apply_edit import apply_hunks, plan
from workbench.model.edit import EditPlan
from workbench.suggest.read_reply import read_reply

BASE = """\
// two small kernels
#include <cuda_fp16.h>

__global__ void add(int n, const float* p, float* q)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        q[k] = p[k] + q[k];
    }
}

__global__ void twice(int n, float* q)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        q[k] = 2 * q[k];
    }
}
"""
FASTER = "        q[k] = fmaf(1.0f, p[k], q[k]);"
SLOW = "        q[k] = p[k] + q[k];"
DIFF = f"--- a/two.cu\n+++ b/two.cu\n@@ -7,3 +7,3 @@\n     if (k < n) {{\n-{SLOW}\n+{FASTER}\n     }}\n"


def planned(answer: str, base: str = BASE, file: str = "two.cu") -> EditPlan:
    return plan(base, read_reply(answer), file)


def said(made: EditPlan) -> str:
    return "\n".join(str(notice) for notice in (*made.notices, *(notice for hunk in made.hunks for notice in hunk.notices)))


def accept_all(made: EditPlan, base: str = BASE) -> str:
    return apply_hunks(base, made, made.acceptable)


def fenced(body: str, language: str = "diff") -> str:
    return f"```{language}\n{body}```\n"


def test_a_plain_diff_is_applied() -> None:
    made = planned(fenced(DIFF))
    assert made.outcome == "applied"
    assert accept_all(made) == BASE.replace(SLOW, FASTER)
    assert said(made) == ""


def test_wrong_counts_in_the_header_are_repaired_with_a_notice() -> None:
    made = planned(fenced(DIFF.replace("-7,3 +7,3", "-7,9 +7,2")))
    assert made.outcome == "applied"
    assert "it says 9 old and 2 new lines, the hunk has 3 and 3" in said(made)


def test_overlong_counts_do_not_swallow_the_next_file() -> None:
    other = "--- a/util.cuh\n+++ b/util.cuh\n@@ -1,1 +1,1 @@\n-#pragma once\n+#pragma once // seen\n"
    made = planned(fenced(DIFF.replace("+7,3", "+7,33") + other))
    assert made.outcome == "needs-confirmation"
    assert made.other_files == ("util.cuh",)
    assert "also changes util.cuh" in said(made)
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


@pytest.mark.parametrize("fence", [True, False])
def test_a_bare_header_of_the_begin_patch_form_is_placed_by_its_text(fence: bool) -> None:
    body = f"*** Begin Patch\n*** Update File: two.cu\n@@\n-{SLOW}\n+{FASTER}\n*** End Patch\n"
    made = planned(fenced(body, "") if fence else body)
    assert made.outcome == "applied"
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


@pytest.mark.parametrize(("minus", "plus"), [("--", "++"), ("+-", "++"), ("-", "++")])
def test_doubled_markers_are_asked_about_and_leave_no_stray_marker(minus: str, plus: str) -> None:
    body = DIFF.replace(f"-{SLOW}", f"{minus}{SLOW}").replace(f"+{FASTER}", f"{plus}{FASTER}")
    made = planned(fenced(body))
    assert made.outcome in ("needs-confirmation", "refused")
    assert accept_all(made) in (BASE, BASE.replace(SLOW, FASTER))


def test_an_increment_at_the_margin_is_no_doubled_marker() -> None:
    base = "int i = 0;\ni = i + 1;\nuse(i);\n"
    made = planned(fenced("--- a/two.cu\n+++ b/two.cu\n@@ -1,3 +1,3 @@\n int i = 0;\n-i = i + 1;\n+++i;\n use(i);\n"), base)
    assert made.outcome == "applied"
    assert accept_all(made, base) == "int i = 0;\n++i;\nuse(i);\n"


def test_a_hunk_that_begins_with_an_added_line_is_applied() -> None:
    body = "--- two.cu\n+++ two.cu\n@@ -1,2 +1,3 @@\n+// tuned\n // two small kernels\n #include <cuda_fp16.h>\n"
    made = planned(fenced(body))
    assert made.outcome == "applied"
    assert accept_all(made) == "// tuned\n" + BASE
    again = planned(fenced(body), "// tuned\n" + BASE)
    assert again.outcome == "already-applied"


def test_a_patch_with_crlf_leaves_an_lf_file_lf_and_says_so() -> None:
    made = planned(fenced(DIFF).replace("\n", "\r\n"))
    assert made.outcome == "applied"
    assert accept_all(made) == BASE.replace(SLOW, FASTER)
    assert "CRLF" in said(made)


def test_an_update_from_dev_null_with_another_path_is_offered_for_the_open_file() -> None:
    body = DIFF.replace("--- a/two.cu", "--- /dev/null").replace("b/two.cu", "b/src/kernels/other_name.cu")
    made = planned(fenced(body))
    assert made.outcome == "needs-confirmation"
    assert "The answer names src/kernels/other_name.cu" in said(made)
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


def test_a_new_file_beside_the_open_one_is_never_made() -> None:
    made = planned(fenced("--- /dev/null\n+++ b/new.cuh\n@@ -0,0 +1,2 @@\n+#pragma once\n+int f();\n"))
    assert made.outcome == "refused"
    assert "no line of the file to hold on to" in said(made)


def test_git_headers_are_read_and_a_rename_line_is_no_code() -> None:
    made = planned(fenced("diff --git a/two.cu b/two.cu\nindex 83db48f..bf269f4 100644\n" + DIFF))
    assert made.outcome == "applied"
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


def test_a_deletion_of_the_file_is_refused() -> None:
    made = planned(fenced(DIFF.replace("+++ b/two.cu", "+++ /dev/null")))
    assert made.outcome == "refused"
    assert "delete the whole file" in said(made)


def test_context_without_its_leading_space_is_put_back_with_a_notice() -> None:
    body = DIFF.replace("     if (k", "    if (k").replace("     }", "    }")
    made = planned(fenced(body))
    assert made.outcome == "applied"
    assert "space that marks unchanged lines" in said(made)
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


def test_a_diff_without_a_fence_ends_where_prose_begins() -> None:
    made = planned("Here you are:\n\n" + DIFF + "\nThis fuses the two operations.\n- one\n- two\n")
    assert [hunk.status for hunk in made.hunks] == ["applied"]
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


def test_another_common_indent_is_applied_with_the_files_own() -> None:
    made = planned(
        "<<<<<<< SEARCH\nif (k < n) {\n    q[k] = 2 * q[k];\n=======\nif (k < n) {\n    q[k] += q[k];\n>>>>>>> REPLACE\n"
    )
    assert made.outcome == "applied"
    assert "indent" in said(made)
    assert accept_all(made) == BASE.replace("2 * q[k]", "X").replace("q[k] = X", "q[k] += q[k]")


def test_a_line_number_never_decides_between_two_places() -> None:
    body = "--- a/two.cu\n+++ b/two.cu\n@@ -15,1 +15,1 @@\n-    if (k < n) {\n+    if (k < n && n > 0) {\n"
    made = planned(fenced(body))
    assert made.outcome == "refused"
    assert "lines 7, 15" in said(made)


def test_the_same_lines_with_another_indent_elsewhere_need_confirmation() -> None:
    base = "f();\nif (a) {\n    f();\n}\n"
    made = planned("<<<<<<< SEARCH\n    f();\n=======\n    g();\n>>>>>>> REPLACE\n", base)
    assert made.outcome == "needs-confirmation"
    assert accept_all(made, base) == "f();\nif (a) {\n    g();\n}\n"


@pytest.mark.parametrize(
    ("old", "outcome"),
    [
        ("        q[k]  =  2*q[k];", "needs-confirmation"),
        ("        q[k] = 2.0f * q[k];", "needs-confirmation"),
        ("        cudaDeviceSynchronize();", "refused"),
    ],
)
def test_looser_matches_are_asked_about_and_distant_ones_refused(old: str, outcome: str) -> None:
    made = planned(f"<<<<<<< SEARCH\n{old}\n=======\n        q[k] += q[k];\n>>>>>>> REPLACE\n")
    assert made.outcome == outcome
    assert accept_all(made) == (BASE if outcome == "refused" else BASE.replace("q[k] = 2 * q[k];", "q[k] += q[k];"))


def test_a_similar_block_keeps_the_files_own_context() -> None:
    block = "    int k = blockIdx.x*blockDim.x + threadIdx.x;\n    if (k < N) {\n        q[k] = 2 * q[k];\n"
    new = block.replace("2 * q[k]", "q[k] + q[k]")
    made = planned(f"<<<<<<< SEARCH\n{block}=======\n{new}>>>>>>> REPLACE\n")
    assert made.outcome == "needs-confirmation"
    assert accept_all(made) == BASE.replace("q[k] = 2 * q[k]", "q[k] = q[k] + q[k]")


def test_one_block_that_fails_refuses_the_answer_until_hunks_are_chosen() -> None:
    good = "<<<<<<< SEARCH\n        q[k] = 2 * q[k];\n=======\n        q[k] += q[k];\n>>>>>>> REPLACE\n"
    bad = "<<<<<<< SEARCH\nnothing like it at all, anywhere\n=======\nX\n>>>>>>> REPLACE\n"
    made = planned(good + "\n" + bad)
    assert made.outcome == "refused"
    assert "1 of 2 hunks found their place, not hunk 2" in said(made)
    assert apply_hunks(BASE, made, [1]) == BASE.replace("q[k] = 2 * q[k];", "q[k] += q[k];")


def test_a_block_without_its_end_is_refused() -> None:
    made = planned("```\n<<<<<<< SEARCH\n        q[k] = 2 * q[k];\n=======\n        q[k] +")
    assert made.outcome == "refused"
    assert made.truncated


def test_a_whole_file_is_offered_as_hunks_and_names_what_it_lost() -> None:
    whole = BASE[: BASE.index("\n__global__ void twice")].replace(SLOW, FASTER)
    made = planned(f"Sure!\n\n```\n{whole}```\n")
    assert made.outcome == "needs-confirmation"
    assert made.whole_file
    assert "does not have twice" in said(made)
    assert accept_all(made) == whole


def test_a_whole_file_pasted_without_a_fence_is_offered_too() -> None:
    made = planned(BASE.replace(SLOW, FASTER))
    assert made.outcome == "needs-confirmation"
    assert accept_all(made) == BASE.replace(SLOW, FASTER)


def test_the_same_whole_file_is_no_change() -> None:
    assert planned(f"```cuda\n{BASE}```\n").outcome == "no-change"


@pytest.mark.parametrize(
    "line", ["// ... rest unchanged", "    // rest of the kernel stays the same", "/* ... */", "// existing code", "..."]
)
def test_a_shortened_body_is_refused(line: str) -> None:
    whole = BASE.replace(SLOW, line)
    assert planned(f"```cuda\n{whole}```\n").outcome == "refused"
    made = planned(f"<<<<<<< SEARCH\n{SLOW}\n=======\n{line}\n>>>>>>> REPLACE\n")
    assert made.outcome == "refused"
    assert "leave code out" in said(made)


@pytest.mark.parametrize(
    "line", ["// the rest of the row is handled below", "// other threads load the halo", "// prefetch the next tile..."]
)
def test_an_ordinary_comment_is_not_taken_for_a_shortened_body(line: str) -> None:
    made = planned(f"<<<<<<< SEARCH\n{SLOW}\n=======\n        {line}\n{FASTER}\n>>>>>>> REPLACE\n")
    assert made.outcome == "applied"


@pytest.mark.parametrize("closing", ["", "```\n"])
def test_half_a_kernel_never_replaces_the_file(closing: str) -> None:
    half = BASE[: BASE.index("    if (k < n)")] + "    for (; k < n; k += str"
    made = planned(f"```cuda\n{half}\n{closing}")
    assert made.outcome == "refused"
    assert "truncated" in said(made)


def test_a_truncated_diff_is_refused_where_its_hunk_is_short() -> None:
    made = planned("```diff\n" + DIFF[: DIFF.index("+        q")])
    assert made.outcome == "refused"
    assert "cut off" in said(made)


def test_a_complete_diff_whose_fence_is_not_closed_is_asked_about() -> None:
    made = planned("```diff\n" + DIFF)
    assert made.outcome == "needs-confirmation"


def test_a_code_block_that_is_no_whole_file_is_refused() -> None:
    made = planned("Use this helper:\n```cuda\n__device__ float f(float x) { return x; }\n```\n")
    assert made.outcome == "refused"
    assert "neither an edit nor the whole file" in said(made)


def test_prose_alone_holds_no_edit() -> None:
    made = planned("I would rather look at the profiler first.\n```bash\nncu ./a.out\n```\n")
    assert made.outcome == "refused"
    assert "No edit for this file" in said(made)


def test_nested_fences_are_opened() -> None:
    assert planned("````markdown\nThe change:\n" + fenced(DIFF) + "````\n").outcome == "applied"
    assert planned("```markdown\nThe change:\n" + fenced(DIFF) + "```\n").outcome == "applied"


def test_a_file_with_mixed_line_ends_keeps_each_line_as_it_is() -> None:
    base = BASE.replace("{\n", "{\r\n")
    made = planned(fenced(DIFF), base)
    assert made.outcome == "applied"
    assert accept_all(made, base) == base.replace(SLOW, FASTER)


def test_two_hunks_for_the_same_lines_are_not_both_applied() -> None:
    block = f"<<<<<<< SEARCH\n{SLOW}\n=======\n{FASTER}\n>>>>>>> REPLACE\n"
    made = planned(block + "\n" + block.replace("1.0f", "2.0f"))
    assert made.outcome == "refused"
    assert "same lines as hunk 1" in said(made)


def test_hypothesis_metric_and_titles_are_read() -> None:
    answer = (
        "**Hypothesis:** fewer loads,\nso DRAM traffic falls.\n**Metric:** `dram__bytes_read.sum`\n\n"
        f"Fuses the operations:\n<<<<<<< SEARCH\n{SLOW}\n=======\n{FASTER}\n>>>>>>> REPLACE\n"
    )
    reply = read_reply(answer)
    assert (reply.hypothesis, reply.metric) == ("fewer loads, so DRAM traffic falls.", "dram__bytes_read.sum")
    assert reply.edits[0].title == "Fuses the operations"


def _collected() -> list[tuple[str, str, str]]:
    table = _folder() / "EXPECTED.md"
    if not table.is_file():
        return []
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.read_text("utf-8").splitlines()[2:]]
    return [(row[0], row[4], row[5]) for row in rows]


def _folder() -> Path:
    shared = os.environ.get("KERNEL_LEDGER_SHARED")
    root = Path(shared) if shared else Path(__file__).resolve().parents[4] / "shared"
    return root / "inputs" / "llm"


@pytest.mark.skipif(not _collected(), reason="the collected answers are not on this machine")
def test_every_collected_answer_ends_as_its_table_says() -> None:
    for name, base_name, expected in _collected():
        base = (_folder() / base_name).read_bytes().decode("utf-8")
        answer = (_folder() / f"{name}.md").read_bytes().decode("utf-8")
        made = plan(base, read_reply(answer), base_name)
        allowed = expected.split(" (")[0].split(" or ")
        assert made.outcome in allowed, name
        result = apply_hunks(base, made, made.acceptable)
        assert "\r" not in result
        assert not any(line.lstrip().startswith("+ ") for line in result.splitlines())
        assert result.endswith("\n") == base.endswith("\n") or made.whole_file
