"""The memory: one SQLite file holds the versions, runs, suggestions and traces of a project. The only room that writes SQL."""

from sessions.store import RunHead, RunList, Store, create, open_session

__all__ = ["RunHead", "RunList", "Store", "create", "open_session"]
