"""The records that flow between stages: frozen dataclasses of numpy columns, CSR for ragged data, −1 for null."""
