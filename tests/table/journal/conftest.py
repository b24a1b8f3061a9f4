"""Lets pytest explain the asserts of the contract as well as it explains those of tests."""

import pytest

pytest.register_assert_rewrite("tests.contracts.journal_contract")
