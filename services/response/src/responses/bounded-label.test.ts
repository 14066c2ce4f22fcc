import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createBoundedLabel } from './module.ts';

describe('createBoundedLabel', () => {
  it('keeps the first values, and counts those that become other', async () => {
    const registry = new Registry();
    const tenant = createBoundedLabel({ name: 'tenant', max: 2, registry });
    const survey = createBoundedLabel({ name: 'survey', max: 1, registry });
    expect(await registry.metrics()).toContain('metrics_label_overflow_total{label="tenant"} 0');
    expect(['a', 'b', 'c', 'a', 'c'].map((value) => tenant.of(value))).toEqual(['a', 'b', 'other', 'a', 'other']);
    expect(['x', 'y'].map((value) => survey.of(value))).toEqual(['x', 'other']);
    const text = await registry.metrics();
    expect(text).toContain('metrics_label_overflow_total{label="tenant"} 2');
    expect(text).toContain('metrics_label_overflow_total{label="survey"} 1');
  });
});
