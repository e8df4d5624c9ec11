"""The one explicit list of built-in rules."""

from __future__ import annotations

from crossval.rules.gaps.field_not_implemented import field_not_implemented
from crossval.rules.gaps.field_undocumented import field_undocumented
from crossval.rules.gaps.operation_not_implemented import operation_not_implemented
from crossval.rules.gaps.operation_undocumented import operation_undocumented
from crossval.rules.operations.body_not_implemented import body_not_implemented
from crossval.rules.operations.body_undocumented import body_undocumented
from crossval.rules.operations.deprecated_mismatch import deprecated_mismatch
from crossval.rules.operations.media_type_mismatch import media_type_mismatch
from crossval.rules.operations.operation_id_mismatch import operation_id_mismatch
from crossval.rules.operations.parameter_location_mismatch import parameter_location_mismatch
from crossval.rules.operations.parameter_not_implemented import parameter_not_implemented
from crossval.rules.operations.parameter_undocumented import parameter_undocumented
from crossval.rules.operations.response_header_missing import response_header_missing
from crossval.rules.operations.response_not_produced import response_not_produced
from crossval.rules.operations.response_undeclared import response_undeclared
from crossval.rules.operations.security_mismatch import security_mismatch
from crossval.rules.operations.success_status_mismatch import success_status_mismatch
from crossval.rules.rule import Rule
from crossval.rules.schemas.additional_properties_mismatch import additional_properties_mismatch
from crossval.rules.schemas.bound_mismatch import bound_mismatch
from crossval.rules.schemas.default_mismatch import default_mismatch
from crossval.rules.schemas.enum_mismatch import enum_mismatch
from crossval.rules.schemas.format_mismatch import format_mismatch
from crossval.rules.schemas.nullable_mismatch import nullable_mismatch
from crossval.rules.schemas.pattern_mismatch import pattern_mismatch
from crossval.rules.schemas.required_mismatch import required_mismatch
from crossval.rules.schemas.type_mismatch import type_mismatch
from crossval.rules.specs.contract_duplicate_key import contract_duplicate_key
from crossval.rules.specs.contract_invalid import contract_invalid
from crossval.rules.specs.contract_unreadable import contract_unreadable
from crossval.rules.specs.feature_unreadable import feature_unreadable
from crossval.rules.specs.source_syntax_error import source_syntax_error
from crossval.rules.specs.story_id_duplicate import story_id_duplicate
from crossval.rules.specs.suppression_unknown_rule import suppression_unknown_rule
from crossval.rules.specs.suppression_without_reason import suppression_without_reason
from crossval.rules.specs.unused_suppression import unused_suppression

RULES: tuple[Rule, ...] = (
    field_not_implemented,
    field_undocumented,
    operation_not_implemented,
    operation_undocumented,
    body_not_implemented,
    body_undocumented,
    deprecated_mismatch,
    media_type_mismatch,
    operation_id_mismatch,
    parameter_location_mismatch,
    parameter_not_implemented,
    parameter_undocumented,
    response_header_missing,
    response_not_produced,
    response_undeclared,
    security_mismatch,
    success_status_mismatch,
    additional_properties_mismatch,
    bound_mismatch,
    default_mismatch,
    enum_mismatch,
    format_mismatch,
    nullable_mismatch,
    pattern_mismatch,
    required_mismatch,
    type_mismatch,
    contract_duplicate_key,
    contract_invalid,
    contract_unreadable,
    feature_unreadable,
    source_syntax_error,
    story_id_duplicate,
    suppression_unknown_rule,
    suppression_without_reason,
    unused_suppression,
)
