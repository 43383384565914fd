class CUDADriverError(RuntimeError):
    status: int

def moduleLoadData(image: bytes) -> int: ...
def moduleUnload(module: int) -> None: ...
def moduleGetFunction(module: int, funcname: str) -> int: ...
def funcGetAttribute(attribute: int, f: int) -> int: ...
def funcSetAttribute(f: int, attribute: int, value: int) -> None: ...
def launchKernel(
    f: int,
    grid_dim_x: int,
    grid_dim_y: int,
    grid_dim_z: int,
    block_dim_x: int,
    block_dim_y: int,
    block_dim_z: int,
    shared_mem_bytes: int,
    stream: int,
    kernel_params: int,
    extra: int,
) -> None: ...
