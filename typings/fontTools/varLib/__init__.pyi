from fontTools.varLib import instancer as instancer
