import { CopyButton } from './copy-button.tsx';
import { escapeControlCharacters } from './show-controls.ts';

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
