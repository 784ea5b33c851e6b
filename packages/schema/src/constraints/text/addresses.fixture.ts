import { IsIP, IsMACAddress, IsPort } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const addresses4 = ['127.0.0.1', '10.0.0.255', '255.255.255.255', '0.0.0.0', '1.22.199.249'];
const addresses6 = ['::1', '::', 'fe80::1%eth0', '2001:db8:0:0:1:0:0:1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8', '1::8'];
const hardware = matchOf(
  /[0-9a-f]{2}([-:\s])([0-9a-f]{2}\1){4}([0-9a-f]{2}\1[0-9a-f]{2}\1)?[0-9a-f]{2}|[0-9a-f]{4}(\.[0-9A-F]{4}){2,3}/,
);

/** Cases of addresses.ts. */
export const addressCases = [
  ...casesOf('isPort', ['@IsPort()', [IsPort()], textsNear(matchOf(/\+?0|[1-9][0-9]{0,3}|6553[0-9]|65[45][0-9]{2}/))]),
  ...casesOf(
    'isIp',
    ['@IsIP()', [IsIP()], textsNear([...addresses4, ...addresses6])],
    ["@IsIP('4')", [IsIP('4')], textsNear(addresses4)],
    ["@IsIP('6')", [IsIP('6')], textsNear(addresses6)],
  ),
  ...casesOf(
    'isMacAddress',
    ['@IsMACAddress()', [IsMACAddress()], textsNear(hardware)],
    ["@IsMACAddress({ eui: '48' })", [IsMACAddress({ eui: '48' })], textsNear(hardware)],
    ["@IsMACAddress({ eui: '64' })", [IsMACAddress({ eui: '64' })], textsNear(hardware)],
    [
      '@IsMACAddress({ no_separators: true })',
      [IsMACAddress({ no_separators: true })],
      textsNear(matchOf(/[0-9a-fA-F]{12}|[0-9a-f]{16}/)),
    ],
  ),
];
