import { serviceNames } from '@survey/local/stack/services';
import type { Installation } from '@survey/tools/admin/installation';
import { readServices } from '@survey/tools/doctor/doctor';
import { describe, expect, it } from 'vitest';
import { type KubernetesObject, renderChart, variants } from './chart.ts';
import { needChartTools } from './tools.ts';

const tools = needChartTools();

interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

async function render(args: readonly string[]) {
  const objects = await renderChart(tools, args);
  const {
    data,
    metadata: { name },
  } = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-admin'),
  ) as KubernetesObject;
  const prefix = name.slice(0, -'-admin'.length);
  const pod = JSON.parse(data.pod);
  // The chart writes this format.
  return { objects, prefix, data, pod, installation: JSON.parse(data['installation.json']) as Installation };
}

describe.each(Object.entries(variants))('the pod of npm run admin, %s,', (_name, args) => {
  it('has the files that the environments of all processes name', async () => {
    const { pod, installation } = await render(args);
    const [container] = pod.spec.containers;
    const volumes = pod.spec.volumes.map(({ name }: { name: string }) => name);
    expect(new Set(volumes).size).toBe(volumes.length);
    const mounts: readonly Mount[] = container.volumeMounts;
    expect(mounts.filter(({ name }) => !volumes.includes(name))).toEqual([]);
    expect(Object.keys(installation.processes).sort()).toEqual(['gateway', ...serviceNames].sort());
    for (const [name, { env }] of Object.entries(installation.processes)) {
      const paths = Object.values(env).filter((value) => value.startsWith('/etc/survey/'));
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) {
        expect(path).toMatch(new RegExp(`^/etc/survey/${name}/`));
        expect(mounts.some(({ mountPath }) => path.startsWith(mountPath))).toBe(true);
      }
    }
  });

  it('has the settings of the services, and their addresses', async () => {
    const { objects, prefix, installation } = await render(args);
    for (const name of serviceNames) {
      const own = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === `${prefix}-${name}`);
      const moved = Object.entries(own?.['data'] ?? {}).map(([variable, value]) => [
        variable,
        String(value).replaceAll('/etc/survey/', `/etc/survey/${name}/`),
      ]);
      expect(installation.processes[name]).toMatchObject({
        env: Object.fromEntries(moved),
        admin: `http://${prefix}-${name}-pods:9464`,
        grpc: `${prefix}-${name}-pods:9090`,
      });
    }
  });

  it('has settings that the processes accept, apart from Secrets, which only the pod can read', async () => {
    const { installation } = await render(args);
    const problems = readServices(installation).findings.filter(({ level }) => level === 'problem');
    const isAboutSecret = / cannot be read from | open '\/etc\/survey\/|^KAFKA_SASL_PASSWORD is not set/;
    expect(problems.filter(({ detail }) => !isAboutSecret.test(detail))).toEqual([]);
  });

  it('names the number of processes that must be ready', async () => {
    const { objects, prefix, installation } = await render(args);
    for (const [name, { replicas }] of Object.entries(installation.processes)) {
      const own = (kind: string) =>
        objects.find((object) => object.kind === kind && object.metadata.name === `${prefix}-${name}`)?.['spec'];
      const scaled = own('HorizontalPodAutoscaler')?.minReplicas ?? own('ScaledObject')?.minReplicaCount;
      expect(replicas).toBe(scaled ?? own('Deployment').replicas);
    }
  });

  it('is restricted like the other pods, and selected by its NetworkPolicy', async () => {
    const { data, prefix, pod } = await render(args);
    expect(pod.spec).toMatchObject({ restartPolicy: 'Never', automountServiceAccountToken: false });
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(pod.spec.containers).toHaveLength(1);
    expect(pod.spec.containers[0]).toMatchObject({
      name: `${prefix}-admin`,
      image: data.image,
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    });
    expect(pod.metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'admin' });
    const secrets = pod.spec.volumes.filter((volume: object) => 'secret' in volume);
    expect(secrets.every(({ secret }: { secret: { optional: boolean } }) => secret.optional)).toBe(true);
  });
});

describe('the pod of npm run admin', () => {
  const set = (values: readonly string[]) => values.flatMap((value) => ['--set', value]);

  it('lacks Secrets that are not set', async () => {
    const { pod } = await render(set(['defaults.secrets.internalKey=']));
    expect(
      pod.spec.volumes.filter(({ secret }: { secret?: { secretName: string } }) => secret?.secretName === ''),
    ).toEqual([]);
    expect(pod.spec.containers[0].volumeMounts.map(({ name }: Mount) => name)).not.toContain('operator');
  });

  it('has the environment, volumes and annotations of its values', async () => {
    const { pod } = await render(
      set([
        'admin.env.HTTPS_PROXY=http://proxy:3128',
        'admin.env.REGION.valueFrom.configMapKeyRef.name=a',
        'admin.env.REGION.valueFrom.configMapKeyRef.key=b',
        'admin.envFrom[0].secretRef.name=more',
        'admin.podAnnotations.mesh=off',
        'admin.volumes[0].name=ca',
        'admin.volumes[0].configMap.name=ca',
        'admin.volumeMounts[0].name=ca',
        'admin.volumeMounts[0].mountPath=/etc/ca',
      ]),
    );
    const [container] = pod.spec.containers;
    expect(pod.metadata.annotations).toEqual({ mesh: 'off' });
    expect(pod.spec.volumes).toContainEqual({ name: 'ca', configMap: { name: 'ca' } });
    expect(container.volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/ca' });
    expect(container.envFrom).toEqual([{ secretRef: { name: 'more' } }]);
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'HTTPS_PROXY', value: 'http://proxy:3128' },
        { name: 'REGION', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } },
      ]),
    );
  });

  it('reports to the doctor which variables it does not know', async () => {
    const { installation } = await render(
      set([
        'services.survey.env.LOG_LEVEL.valueFrom.configMapKeyRef.name=a',
        'services.survey.env.LOG_LEVEL.valueFrom.configMapKeyRef.key=b',
        'gateway.envFrom[0].secretRef.name=more',
      ]),
    );
    expect(installation.processes['survey']?.unknown_env).toEqual({ variables: ['LOG_LEVEL'], others: false });
    expect(installation.processes['gateway']?.unknown_env).toEqual({ variables: [], others: true });
    expect(installation.processes['identity']?.unknown_env).toBeUndefined();
  });
});
