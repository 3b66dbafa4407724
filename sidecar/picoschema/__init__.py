"""Picoschema: what notes of one type say, declared, checked, inferred and compared; values in, values out."""
