import { expect, test } from 'vitest';
import { describeDevice } from './push.ts';
import { eachRow } from '../../../../tests/each-row.ts';

test('a device is named by its browser and system', () =>
  eachRow(
    [
      [
        'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/156.0.0.0 Mobile Safari/537.36',
        'Chrome on Android',
      ],
      ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1', 'Safari on iPhone'],
      ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', 'Firefox on Linux'],
      ['Mozilla/5.0 (Windows NT 10.0) Chrome/156.0.0.0 Edg/156.0.0.0', 'Edge on Windows'],
      ['', ''],
    ] as const,
    ([userAgent, name]) => {
      expect(describeDevice(userAgent)).toBe(name);
    },
  ));
