// For whoever serves HTTPS without certificates from elsewhere.
export { CertificateAuthority, type CertificateRequest, type IssuedCertificate } from './certificate-authority.ts';
