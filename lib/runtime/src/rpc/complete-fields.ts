import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';

type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;

/**
 * Every field of a message, undefined where it is not set. A mapper with this result does not compile when it forgets a
 * field of the contract.
 */
export type CompleteFields<Desc extends DescMessage> = {
  [Field in keyof Init<Desc> as Exclude<Field, '$typeName' | '$unknown'>]-?: Init<Desc>[Field];
};
