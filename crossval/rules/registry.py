"""The one explicit list of built-in rules."""

from __future__ import annotations

from crossval.rules.gaps.attribute_not_implemented import attribute_not_implemented
from crossval.rules.gaps.attribute_not_in_stub import attribute_not_in_stub
from crossval.rules.gaps.class_not_implemented import class_not_implemented
from crossval.rules.gaps.class_not_in_stub import class_not_in_stub
from crossval.rules.gaps.criterion_not_tested import criterion_not_tested
from crossval.rules.gaps.field_not_implemented import field_not_implemented
from crossval.rules.gaps.field_undocumented import field_undocumented
from crossval.rules.gaps.function_not_implemented import function_not_implemented
from crossval.rules.gaps.function_not_in_stub import function_not_in_stub
from crossval.rules.gaps.module_not_implemented import module_not_implemented
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
from crossval.rules.signatures.argument_default_mismatch import argument_default_mismatch
from crossval.rules.signatures.argument_extra import argument_extra
from crossval.rules.signatures.argument_kind_mismatch import argument_kind_mismatch
from crossval.rules.signatures.argument_missing import argument_missing
from crossval.rules.signatures.argument_order_mismatch import argument_order_mismatch
from crossval.rules.signatures.argument_renamed import argument_renamed
from crossval.rules.signatures.argument_type_mismatch import argument_type_mismatch
from crossval.rules.signatures.arguments_unspecified import arguments_unspecified
from crossval.rules.signatures.async_mismatch import async_mismatch
from crossval.rules.signatures.attribute_type_mismatch import attribute_type_mismatch
from crossval.rules.signatures.attribute_value_mismatch import attribute_value_mismatch
from crossval.rules.signatures.base_missing import base_missing
from crossval.rules.signatures.base_not_in_stub import base_not_in_stub
from crossval.rules.signatures.decorator_not_in_stub import decorator_not_in_stub
from crossval.rules.signatures.definition_kind_mismatch import definition_kind_mismatch
from crossval.rules.signatures.docstring_parameter_unknown import docstring_parameter_unknown
from crossval.rules.signatures.exception_undocumented import exception_undocumented
from crossval.rules.signatures.exports_mismatch import exports_mismatch
from crossval.rules.signatures.key_required_mismatch import key_required_mismatch
from crossval.rules.signatures.metaclass_mismatch import metaclass_mismatch
from crossval.rules.signatures.method_kind_mismatch import method_kind_mismatch
from crossval.rules.signatures.property_accessor_mismatch import property_accessor_mismatch
from crossval.rules.signatures.return_missing import return_missing
from crossval.rules.signatures.return_type_mismatch import return_type_mismatch
from crossval.rules.signatures.return_value_mismatch import return_value_mismatch
from crossval.rules.specs.contract_duplicate_key import contract_duplicate_key
from crossval.rules.specs.contract_invalid import contract_invalid
from crossval.rules.specs.contract_unreadable import contract_unreadable
from crossval.rules.specs.feature_unreadable import feature_unreadable
from crossval.rules.specs.source_syntax_error import source_syntax_error
from crossval.rules.specs.story_id_duplicate import story_id_duplicate
from crossval.rules.specs.suppression_unknown_rule import suppression_unknown_rule
from crossval.rules.specs.suppression_without_reason import suppression_without_reason
from crossval.rules.specs.unused_suppression import unused_suppression
from crossval.rules.stories.claim_code_mismatch import claim_code_mismatch
from crossval.rules.stories.claim_contract_mismatch import claim_contract_mismatch
from crossval.rules.stories.claims_conflict import claims_conflict
from crossval.rules.stories.criterion_name_unknown import criterion_name_unknown
from crossval.rules.stories.criterion_not_checked import criterion_not_checked
from crossval.rules.stories.criterion_not_implemented import criterion_not_implemented
from crossval.rules.stories.module_unasked import module_unasked
from crossval.rules.stories.reference_dangling import reference_dangling
from crossval.rules.stories.step_definition_unused import step_definition_unused
from crossval.rules.stories.step_undefined import step_undefined
from crossval.rules.stories.story_without_criteria import story_without_criteria
from crossval.rules.stories.wording_vague import wording_vague
from crossval.rules.tests.asserted_status_undeclared import asserted_status_undeclared
from crossval.rules.tests.assertion_cannot_fail import assertion_cannot_fail
from crossval.rules.tests.assertion_compares_nothing import assertion_compares_nothing
from crossval.rules.tests.citation_unknown import citation_unknown
from crossval.rules.tests.import_unknown import import_unknown

RULES: tuple[Rule, ...] = (
    asserted_status_undeclared,
    assertion_cannot_fail,
    assertion_compares_nothing,
    citation_unknown,
    import_unknown,
    claim_code_mismatch,
    claim_contract_mismatch,
    claims_conflict,
    wording_vague,
    story_without_criteria,
    step_undefined,
    step_definition_unused,
    reference_dangling,
    criterion_not_implemented,
    criterion_name_unknown,
    criterion_not_checked,
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
    attribute_not_implemented,
    attribute_not_in_stub,
    class_not_implemented,
    class_not_in_stub,
    criterion_not_tested,
    function_not_implemented,
    function_not_in_stub,
    module_not_implemented,
    module_unasked,
    argument_default_mismatch,
    argument_extra,
    argument_kind_mismatch,
    argument_missing,
    argument_order_mismatch,
    argument_renamed,
    argument_type_mismatch,
    async_mismatch,
    attribute_type_mismatch,
    attribute_value_mismatch,
    base_missing,
    definition_kind_mismatch,
    method_kind_mismatch,
    return_type_mismatch,
    exports_mismatch,
    decorator_not_in_stub,
    property_accessor_mismatch,
    metaclass_mismatch,
    key_required_mismatch,
    return_value_mismatch,
    return_missing,
    docstring_parameter_unknown,
    exception_undocumented,
    base_not_in_stub,
    arguments_unspecified,
)
