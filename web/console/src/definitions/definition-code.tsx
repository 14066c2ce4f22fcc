import { type ReactNode, useMemo, useRef } from 'react';
import { type Finding, FindingList, FindingText } from './findings.tsx';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Number of lines in a block. Browsers lay out only the visible blocks of a long text. */
const BLOCK_LINES = 100;

/** The text of a definition with numbered lines. Errors and warnings are listed, and shown again at their lines. */
export function DefinitionCode({ label, text, findings }: Props) {
  const region = useRef<HTMLElement>(null);
  const blocks = useMemo(() => toBlocks(text, findings), [text, findings]);

  function goTo(line: number): void {
    const target = region.current?.querySelector<HTMLElement>(`[data-line="${line}"]`);
    target?.scrollIntoView({ block: 'center' });
    target?.focus({ preventScroll: true });
  }

  return (
    <div className="stack">
      {findings.length > 0 && <FindingList findings={findings} onSelect={goTo} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="code" aria-label={label} tabIndex={0} ref={region} dir="ltr">
        {blocks}
      </section>
    </div>
  );
}

function toBlocks(text: string, findings: readonly Finding[]): readonly ReactNode[] {
  const byLine = Map.groupBy(findings, ({ line }) => line);
  const lines = text.split('\n').map((line, index) => {
    const number = index + 1;
    return (
      <div key={number}>
        <CodeLine number={number} text={line} findings={byLine.get(number) ?? []} />
      </div>
    );
  });
  const count = Math.ceil(lines.length / BLOCK_LINES);
  return Array.from({ length: count }, (_, block) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their positions.
    <div key={block} className="code-block">
      {lines.slice(block * BLOCK_LINES, (block + 1) * BLOCK_LINES)}
    </div>
  ));
}

interface CodeLineProps {
  readonly number: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

function CodeLine({ number, text, findings }: CodeLineProps) {
  const [, indent, name, rest] = /^( *)("[^"\\]*(?:\\.[^"\\]*)*")(: .*)$/.exec(text) ?? [];
  const tone = findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  return (
    <>
      <div
        className="code-line"
        data-line={number}
        data-tone={findings.length === 0 ? undefined : tone}
        tabIndex={findings.length === 0 ? undefined : -1}
      >
        {name === undefined ? (
          text
        ) : (
          <>
            {indent}
            <span className="code-name">{name}</span>
            {rest}
          </>
        )}
      </div>
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be equal, and their order does not change.
        <div key={index} className="code-finding">
          <FindingText finding={finding} />
        </div>
      ))}
    </>
  );
}
