from cupti import cupti as cupti
