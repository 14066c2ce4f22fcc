import { Button } from '../ui/button.tsx';
import type { Finding } from './findings.ts';

interface Props {
  readonly findings: readonly Finding[];
  /** Goes to a line of the text. */
  readonly onSelect: (line: number) => void;
}

/** Errors and warnings of a definition, with their lines. */
export function FindingList({ findings, onSelect }: Props) {
  return (
    <ul className="findings" aria-label="Errors and warnings">
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be equal, and their order does not change.
        <li key={index}>
          <Button variant="plain" onPress={() => onSelect(finding.line)}>
            Line {finding.line}
          </Button>
          <FindingText finding={finding} />
        </li>
      ))}
    </ul>
  );
}

export function FindingText({ finding }: { readonly finding: Finding }) {
  return (
    <span>
      <span className="badge" data-tone={finding.severity === 'error' ? 'bad' : 'warn'}>
        {finding.severity}
      </span>{' '}
      <bdi>{finding.detail}</bdi> <code className="soft">{finding.code}</code>
    </span>
  );
}
