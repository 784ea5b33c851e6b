/** Strings of each format that the API server enforces, by its name without dashes. */
const texts: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011'],
  byte: ['aGVsbG8=', 'AA=='],
  cidr: ['10.0.0.0/8', 'fd00::/8'],
  creditcard: ['4111111111111111'],
  date: ['2026-01-31', '1970-01-01'],
  datetime: ['2026-01-31T23:59:59Z', '1970-01-01T00:00:00Z', '2026-06-01T12:00:00+02:00'],
  duration: ['1s', '1h30m', '0'],
  email: ['a@example.com'],
  hexcolor: ['#aabbcc', '#FFF'],
  hostname: ['example.com', 'localhost'],
  ipv4: ['10.0.0.1', '255.255.255.255'],
  ipv6: ['::1', 'fd00::1'],
  isbn: ['9783161484100'],
  isbn10: ['3836221195'],
  isbn13: ['9783161484100'],
  k8slongname: ['a', 'web.example.com'],
  k8sshortname: ['a', 'web-1'],
  mac: ['01:23:45:67:89:ab'],
  password: ['secret'],
  rgbcolor: ['rgb(1,2,3)'],
  ssn: ['123-45-6789'],
  uri: ['https://example.com/a?b=c', '/a'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  uuid3: ['a3bb189e-8bf9-3888-9912-ace4e6543002'],
  uuid4: ['57b73598-8764-4ad0-a76a-679bb6640eb1'],
  uuid5: ['987fbc97-4bed-5078-9f07-9141ba07c9f3'],
};

/** Returns strings of a format; undefined if the API server does not enforce it. */
export function textsOfFormat(format: string): readonly string[] | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
