"""Register the contract with pytest, so that its asserts are explained like those of tests."""

import pytest

pytest.register_assert_rewrite("tests.contracts.journal_contract")
