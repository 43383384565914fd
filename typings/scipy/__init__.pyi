from scipy import ndimage as ndimage
from scipy import signal as signal
from scipy import sparse as sparse
from scipy import special as special
