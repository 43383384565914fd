"""The access analysis: from the events of traced blocks to what each source line does to memory.

`trace` launches and reads events, `flow` finds where lanes meet again, the runtime replays the warps (lanes.cpp), `requests` puts
names to addresses, `machine` reads the compiler's own list of accesses, `merge` joins accesses as the machine does, `metrics`
counts sectors and wavefronts, `summary` makes the report.
"""
