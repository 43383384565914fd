"""The device worker: `python -m workbench.worker`. Speaks the protocol on what was its standard input and output."""

from __future__ import annotations

from workbench.worker.child import serve
from workbench.worker.passes.desk import DeviceDesk

if __name__ == "__main__":
    serve("device", DeviceDesk)
