# SPDX-License-Identifier: Apache-2.0
"""Cases for run_operations.py: modules of one operation each, inputs that are
hard for it, and its results by Python's integers and doubles."""

from operations_integer import (advance_random_case, bytes_case, lookup_case,
                                piecewise_case, requantize_case)
from operations_half import (add_stochastic_case, product_error_case)
from operations_rows import (half_linear_case, integer_rms_norm_case,
                             linear_case, rows_case, tiles)
from operation_case import LOWEST


def cases():
    yield requantize_case()
    for pieces in (1, 3, 8, 16, 32, 64):
        yield piecewise_case(pieces)
    for interpolate in (False, True):
        yield lookup_case(256, -32768, 8, interpolate)
        yield lookup_case(3, 1000, 5, interpolate)
        yield lookup_case(256, LOWEST, 23, interpolate)
    yield lookup_case(7, -3, 0, False)
    yield add_stochastic_case()
    yield product_error_case()
    yield bytes_case()
    yield advance_random_case(lengths=False)
    yield advance_random_case(lengths=True)
    for width, epsilon, shift in ((1, 0, 20), (2, 7, 15), (64, 7, 24),
                                  (100, 0, 31), (1030, 1000, 40)):
        yield integer_rms_norm_case(width, epsilon, shift)
    yield rows_case()
    for inner, columns, bias in ((5, 7, True), (64, 192, True),
                                 (200, 33, False)):
        yield linear_case(inner, columns, bias)
    yield half_linear_case()
    # Rows of whole tiles and of one that ends within; columns likewise, and
    # some whose rows are not aligned; one turn, and turns that end within.
    for inner, columns, bias, batch in ((64, 96, True, 23), (16, 40, False, 11),
                                        (41, 33, True, 23)):
        yield linear_case(inner, columns, bias, tiles(), batch)
        yield half_linear_case(inner, columns, tiles(), batch)
    yield linear_case(64, 128, True, tiles(panel=2), 50)
