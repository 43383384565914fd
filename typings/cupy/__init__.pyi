from cupy import cuda as cuda

__version__: str

def asarray(a: object) -> object: ...
