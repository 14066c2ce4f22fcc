import { readFile } from 'node:fs/promises';
import { toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import { createTokenMinter } from '@survey/runtime/auth/internal-token';
import { headerNames } from '@survey/runtime/rpc/headers';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { type Bench, type Figure, medianOf, repeat } from './figures.ts';
import { cpuOf, cpuOfAll, FEW, FULL, figuresOf, load, type Round, type Target } from './http-load.ts';
import { infraPids, platformPids, withPlatform } from './platform.ts';
import { startChildServer } from './processes.ts';

/** Near the values of ADR 85; `all` is that of ADR 88. */
const MOST_CPU = { response: 5.5, gateway: 3.3, all: 10.2 };
const LEAST_ALONE = 0.32;
const LEAST_THROUGH_GATEWAY = 0.24;
/** CPU of all processes for a submit through the gateway. */
const MOST_CPU_IN_ALL = 530;
/** CPU of ODK Central with its database for a submission, without its later job, measured on the same machine. */
const ODK_CENTRAL_CPU = 4_400;
const MOST_P99_MS = 100;

/** The measured servers: the floor, the response service alone, and the platform through its gateway. */
interface Targets {
  readonly floor: Target;
  /** With a new token, because internal tokens live for a minute. */
  readonly service: () => Promise<Target>;
  readonly platform: Target;
}

type Rounds = readonly { readonly floor: Round; readonly service: Round; readonly platform: Round }[];

/** Measures the cost of accepting responses, compared with the floor, and the latency with few connections. */
export const bench: Bench = ({ rounds, seconds }) =>
  withPlatform(async ({ stack, folder, tenant, cleanup }) => {
    const floor = await startChildServer('ingest-floor', [stack.info().mongodb_uri]);
    cleanup.defer(floor.stop);
    const path = `/v1/public/surveys/${await tenant.publish(lunchSurvey)}/responses`;
    const { gateway, services } = stack.info();
    const body = JSON.stringify({ status: 'completed', data: lunchAnswers });
    const pids = platformPids(stack);
    const privateKey = JSON.parse(await readFile(toKeyFiles(toPaths(folder).keys).internalKeyOf('gateway'), 'utf8'));
    const minter = await createTokenMinter({ service: 'gateway', privateKey });
    const targets: Targets = {
      floor: { url: floor.origin, body, pids: new Map([['floor', floor.pid], ...infraPids(stack)]) },
      service: async () => ({
        url: `${services['response']?.http}${path}`,
        headers: {
          authorization: `Bearer ${await minter.mint('response', {})}`,
          [headerNames.clientAddress]: '127.0.0.1',
        },
        body,
        pids,
      }),
      platform: { url: `${gateway}${path}`, body, pids },
    };
    const measureAll = async () => ({
      floor: await load(targets.floor, FULL, seconds),
      service: await load(await targets.service(), FULL, seconds),
      platform: await load(targets.platform, FULL, seconds),
    });
    // Compiles the code.
    await measureAll();
    const measured = await repeat(rounds, measureAll);
    // People feel the latency with few connections: see ADR 112.
    const few = await repeat(rounds, () => load(targets.platform, FEW, seconds));
    return [...toFigures(measured), ...figuresOf(`${FEW} connections`, few, MOST_P99_MS)];
  });

function toFigures(rounds: Rounds): readonly Figure[] {
  const all = (name: keyof Rounds[number]) => rounds.map((round) => round[name]);
  const cpu = (process: 'response' | 'gateway', of: 'service' | 'platform') =>
    medianOf(rounds, (round) => cpuOf(process, round[of]) / cpuOf('floor', round.floor));
  const inAll = medianOf(rounds, ({ platform }) => cpuOfAll(platform));
  const inAllToFloor = medianOf(rounds, ({ floor, platform }) => cpuOfAll(platform) / cpuOfAll(floor));
  const rate = (of: 'service' | 'platform') => medianOf(rounds, (round) => round[of].perSecond / round.floor.perSecond);
  const ratio = (name: string, value: number, limit: Pick<Figure, 'atLeast' | 'atMost'> = {}): Figure => ({
    name,
    value,
    unit: 'ratio',
    ...limit,
  });
  const throughGateway = 'CPU of all processes, through the gateway';
  return [
    ...figuresOf('floor', all('floor')),
    ...figuresOf('service alone', all('service')),
    ...figuresOf('through the gateway', all('platform')),
    { name: throughGateway, value: inAll, unit: 'µs', atMost: MOST_CPU_IN_ALL },
    ratio(`${throughGateway}, to floor`, inAllToFloor, { atMost: MOST_CPU.all }),
    ratio('CPU of ODK Central to all processes, through the gateway', ODK_CENTRAL_CPU / inAll),
    ratio('CPU of response, alone, to floor', cpu('response', 'service'), { atMost: MOST_CPU.response }),
    ratio('CPU of response, through the gateway, to floor', cpu('response', 'platform'), { atMost: MOST_CPU.response }),
    ratio('CPU of gateway to floor', cpu('gateway', 'platform'), { atMost: MOST_CPU.gateway }),
    ratio('submits, service alone, to floor', rate('service'), { atLeast: LEAST_ALONE }),
    ratio('submits, through the gateway, to floor', rate('platform'), { atLeast: LEAST_THROUGH_GATEWAY }),
  ];
}
