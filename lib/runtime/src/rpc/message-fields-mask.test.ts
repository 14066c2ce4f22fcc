import { create } from '@bufbuild/protobuf';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { pickMasked } from './message-fields.ts';

describe('pickMasked', () => {
  it('picks the fields in the mask by snake case name, including undefined ones', () => {
    const mask = create(FieldMaskSchema, { paths: ['survey_ids', 'description'] });
    const picked = pickMasked({ surveyIds: ['a'], description: undefined, url: 'u' }, mask);
    expect(picked).toEqual({ surveyIds: ['a'], description: undefined });
    expect(Object.keys(picked)).toEqual(['surveyIds', 'description']);
  });

  it('picks nothing without a mask', () => {
    expect(pickMasked({ url: 'u' }, undefined)).toEqual({});
  });
});
