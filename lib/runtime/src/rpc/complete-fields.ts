import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';

type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;

/**
 * All fields of a message, with undefined for unset ones. A mapper with this result type does not compile if it forgets
 * a field of the contract.
 */
export type CompleteFields<Desc extends DescMessage> = {
  [Field in keyof Init<Desc> as Exclude<Field, '$typeName' | '$unknown'>]-?: Init<Desc>[Field];
};
