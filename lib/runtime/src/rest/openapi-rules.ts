import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { field as fieldRules } from '@survey/proto/buf/validate/validate_pb';

/** Whether a request without the field is refused. */
export function isRequired(field: DescField): boolean {
  if (!hasOption(field, fieldRules)) return false;
  const { required, type } = getOption(field, fieldRules);
  if (required) return true;
  // Without presence the zero value is what an absent member becomes: rules that refuse it make the member required.
  if (field.presence !== IMPLICIT) return false;
  if (type.case === 'string') return type.value.minLen > 0n || type.value.in.length > 0 || type.value.pattern !== '';
  if (type.case === 'repeated') return type.value.minItems > 0n;
  return type.case === 'int32' && type.value.greaterThan.case === 'gte' && type.value.greaterThan.value > 0;
}

/** `FieldDescriptorProto` presence IMPLICIT of `google.protobuf.FeatureSet`. */
const IMPLICIT = 2;

/** The `buf.validate` rules of a field in the words of JSON Schema. */
export function fieldRulesSchema(field: DescField): Record<string, unknown> {
  if (!hasOption(field, fieldRules)) return {};
  const { type } = getOption(field, fieldRules);
  switch (type.case) {
    case 'string': {
      const { minLen, maxLen, pattern, in: values } = type.value;
      return {
        ...(minLen > 0n ? { minLength: Number(minLen) } : {}),
        ...(maxLen > 0n ? { maxLength: Number(maxLen) } : {}),
        ...(pattern === '' ? {} : { pattern }),
        ...(values.length === 0 ? {} : { enum: values }),
        ...(type.value.wellKnown.case === 'uuid' ? { format: 'uuid' } : {}),
        ...(type.value.wellKnown.case === 'email' ? { format: 'email' } : {}),
      };
    }
    case 'int32': {
      const { greaterThan, lessThan } = type.value;
      return {
        ...(greaterThan.case === 'gte' ? { minimum: greaterThan.value } : {}),
        ...(lessThan.case === 'lte' ? { maximum: lessThan.value } : {}),
      };
    }
    case 'repeated':
      return {
        ...(type.value.minItems > 0n ? { minItems: Number(type.value.minItems) } : {}),
        ...(type.value.maxItems > 0n ? { maxItems: Number(type.value.maxItems) } : {}),
        ...(type.value.unique ? { uniqueItems: true } : {}),
      };
    default:
      return {};
  }
}
