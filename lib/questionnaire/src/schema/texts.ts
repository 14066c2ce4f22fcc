import { anyValue, fault, map, mustBe, required, text } from './schema.ts';

/** Members with free content, which every part of a survey can have. */
export const freeMembers = {
  metadata: map(anyValue(), {
    fault: mustBe('WRONG_TYPE', 'an object', 'storing'),
    description: 'Your own content. Respondents can read it.',
  }),
  source_data: anyValue({ description: 'The parts of the source that an import kept.' }),
} as const;

export const wrongText = fault('WRONG_TYPE', 'a text must be a string, or an object with a string for each language');

/** A text that can be translated. */
export function translatable(description: string) {
  return text({ fault: wrongText, description });
}

/** The title of a survey or a question. */
export function requiredTitle(description: string) {
  return required(
    text({
      fault: fault('WRONG_TYPE', 'the title must be a string, or an object with a string for each language', 'storing'),
      blank: fault('EMPTY_TITLE', 'the title is empty', 'storing'),
      description,
    }),
    fault('EMPTY_TITLE', 'the title is missing', 'storing'),
  );
}
