export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

/** Tones of states of the API. Other states are neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  completed: 'good',
  delivered: 'good',
  succeeded: 'good',
  draft: 'neutral',
  closed: 'neutral',
  running: 'neutral',
  queued: 'neutral',
  pending: 'warn',
  retrying: 'warn',
  in_progress: 'warn',
  paused: 'warn',
  cancelling: 'warn',
  failed: 'bad',
  disabled: 'bad',
  disqualified: 'warn',
  abandoned: 'warn',
  cancelled: 'neutral',
};

/** A state, such as the status of a survey. */
export function Status({ value, tone }: { readonly value: string; readonly tone?: Tone }) {
  return (
    <span className="badge" data-tone={tone ?? TONES[value] ?? 'neutral'}>
      {value.replaceAll('_', ' ')}
    </span>
  );
}
