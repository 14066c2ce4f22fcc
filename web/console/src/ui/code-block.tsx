import { CopyButton } from './button.tsx';

interface Props {
  /** Name of the block for screen readers. */
  readonly label: string;
  readonly code: string;
  readonly canCopy?: boolean;
}

/** A text as code, such as JSON or a reply. It can be scrolled. Control characters are shown as escapes. */
export function CodeBlock({ label, code, canCopy = false }: Props) {
  return (
    <div className="code-view">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0}>
        <pre dir="ltr">{escapeControlCharacters(code)}</pre>
      </section>
      {canCopy && (
        <div>
          <CopyButton text={code} label={`Copy ${label.toLowerCase()}`} done="Copied." />
        </div>
      )}
    </div>
  );
}

const BIDI_CONTROLS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
// All C0 characters except tab and line feed, and all C1 characters.
const CONTROLS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
const HIDDEN = new RegExp(`[${CONTROLS}${BIDI_CONTROLS}]`, 'g');

/**
 * Writes control characters as JSON escapes such as `\u202e`. Otherwise they could reorder or hide a text that is shown
 * as code. Line breaks and tabs are kept.
 */
export function escapeControlCharacters(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats JSON for people. */
export function formatJson(value: unknown): string {
  return escapeControlCharacters(JSON.stringify(value, null, 2));
}
