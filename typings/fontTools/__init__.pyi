from fontTools import subset as subset
