import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { FlowBlock } from './flow.ts';
import { showsSome } from './shown-items.ts';
import { isOn } from './source-question.ts';

interface BlockOptions {
  readonly order: 'fixed' | 'random';
  /** Whether a random subset of the questions is shown. */
  readonly shownQuestions: 'all' | 'some';
  readonly isLooped: boolean;
  /** Options without an equivalent. */
  readonly kept: JsonObject;
}

export function readBlockOptions({ value }: Pick<FlowBlock, 'value'>): BlockOptions {
  const options: JsonObject = isObject(value['Options']) ? value['Options'] : {};
  const { RandomizeQuestions: random, Randomization: how, Looping: loops } = options;
  const isRandom = isOn(random);
  return {
    order: isRandom ? 'random' : 'fixed',
    shownQuestions: isRandom && showsSome(how) ? 'some' : 'all',
    isLooped: isOn(loops) && loops !== 'None',
    kept: isRandom ? { RandomizeQuestions: random ?? true, ...(how === undefined ? {} : { Randomization: how }) } : {},
  };
}
