import type { QuestionOf } from '@survey/questionnaire';
import type { ControlProps } from './frame.tsx';

/**
 * The answer while a date or time is half entered. It is invalid, so the respondent gets an error. Without it, the
 * question would count as unanswered.
 */
const INCOMPLETE = 'incomplete';

/** A date or a time, with the control of the browser. */
export function DateOrTime({ question, answer, onAnswer, required, aria }: ControlProps<QuestionOf<'date' | 'time'>>) {
  const { type, min, max } = question;
  const hasSeconds = [min, max, answer].some((text) => typeof text === 'string' && text.length === 'HH:MM:SS'.length);
  return (
    <input
      type={type}
      {...aria}
      min={min}
      max={max}
      step={type === 'time' && hasSeconds ? 1 : undefined}
      aria-required={required}
      // Not `value`: setting it would clear a date that is half entered.
      defaultValue={typeof answer === 'string' && answer !== INCOMPLETE ? answer : ''}
      onInput={({ currentTarget: { value, validity } }) =>
        onAnswer(validity.badInput ? INCOMPLETE : value === '' ? undefined : value)
      }
    />
  );
}
