import { type ConditionSource, describeConditions } from '@survey/questionnaire/conditions/condition-sources';
import type { ResponseFilter } from '../surveys/response-counts.ts';

interface Props {
  readonly filter: ResponseFilter;
  readonly sources: readonly ConditionSource[];
}

const FILTER_NAMES: Readonly<Record<Exclude<keyof ResponseFilter, 'where'>, string>> = {
  status: 'status',
  external_id: 'external id',
  link_id: 'link',
  language: 'language',
  version: 'version',
  since: 'created from',
  until: 'created before',
  completed_since: 'completed from',
  completed_until: 'completed before',
  updated_since: 'changed from',
};

/** The filters and conditions of a page by name, to check them before an export or a deletion. */
export function SelectionFacts({ filter: { where, ...filters }, sources }: Props) {
  const facts = Object.entries(filters).map(([name, value]) => [FILTER_NAMES[name as keyof typeof filters], value]);
  return (
    <dl>
      {facts.map(([name, value]) => (
        <Fact key={name} name={String(name)} value={String(value)} />
      ))}
      {where !== undefined && <Fact name="conditions" value={describeConditions(where, sources)} />}
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="clamped">
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}
