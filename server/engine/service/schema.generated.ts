// Made of schemas/service.schema.json by scripts/schemas.ts. Do not edit.
// @ts-nocheck
"use strict";
export const validate = validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"service.schema.json","type":"object","additionalProperties":false,"properties":{"_type":{"type":"string","enum":["self-hosted","cloud"]},"replication":{"type":"object","additionalProperties":false,"properties":{"connections":{"type":"array","items":{"$ref":"#/$defs/connection"}}}},"storage":{"$ref":"#/$defs/storage"},"port":{"$ref":"#/$defs/listeningPort"},"host":{"type":"string"},"sync_config":{"$ref":"#/$defs/syncConfig"},"sync_rules":{"$ref":"#/$defs/syncConfig"},"client_auth":{"$ref":"#/$defs/clientAuth"},"api":{"$ref":"#/$defs/api"},"healthcheck":{"type":"object","additionalProperties":false,"properties":{"probes":{"type":"object","additionalProperties":false,"properties":{"use_filesystem":{"type":"boolean"},"use_http":{"type":"boolean"},"use_legacy":{"type":"boolean"}}}}},"telemetry":{"type":"object","additionalProperties":false,"required":["disable_telemetry_sharing"],"properties":{"prometheus_port":{"$ref":"#/$defs/listeningPort"},"disable_telemetry_sharing":{"type":"boolean"},"internal_service_endpoint":{"type":"string"}}},"migrations":{"type":"object","additionalProperties":false,"properties":{"disable_auto_migration":{"type":"boolean"}}},"verification":{"type":"object","additionalProperties":false,"properties":{"percent_of_time":{"type":"number","minimum":0,"maximum":100}}},"system":{"type":"object","additionalProperties":false,"properties":{"logging":{"type":"object","additionalProperties":false,"properties":{"level":{"type":"string","enum":["silly","debug","verbose","http","info","warn","error"]},"format":{"type":"string","enum":["json","text"]}}}}},"metadata":{"type":"object","additionalProperties":{"type":"string"},"default":{}},"parameters":{"type":"object","additionalProperties":{"type":["number","string","boolean","null"]},"default":{}},"dev":{}},"$defs":{"listeningPort":{"type":["integer","string"],"pattern":"^[0-9]+$","minimum":0,"maximum":65535},"databasePort":{"type":["integer","string"],"pattern":"^[0-9]+$","minimum":1024,"maximum":65535},"id":{"type":"string"},"tag":{"type":"string"},"debugApi":{"type":"boolean"},"hostname":{"type":"string"},"username":{"type":"string"},"password":{"type":"string"},"database":{"type":"string"},"sslmode":{"type":"string","enum":["verify-full","verify-ca","disable"]},"cacert":{"type":"string"},"clientCertificate":{"type":"string"},"clientPrivateKey":{"type":"string"},"tlsServername":{"type":"string"},"rejectIpRanges":{"type":"array","items":{"type":"string"}},"maxPoolSize":{"type":"number"},"heartbeat":{"type":["number","null"],"minimum":5,"maximum":60},"slotNamePrefix":{"type":"string"},"connectTimeout":{"type":"number"},"snapshotSocketTimeout":{"type":"number"},"postgresUri":{"type":"string"},"mongoUri":{"type":"string"},"defaultStorageVersion":{"type":"number","enum":[2,3]},"connection":{"type":"object","required":["type"],"discriminator":{"propertyName":"type"},"oneOf":[{"$ref":"#/$defs/postgresConnection"},{"$ref":"#/$defs/embeddedConnection"},{"$ref":"#/$defs/mongoConnection"},{"$ref":"#/$defs/mysqlConnection"},{"$ref":"#/$defs/mssqlConnection"},{"$ref":"#/$defs/convexConnection"}]},"postgresConnection":{"additionalProperties":false,"properties":{"type":{"const":"postgresql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"$ref":"#/$defs/postgresUri"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"sslmode":{"$ref":"#/$defs/sslmode"},"cacert":{"$ref":"#/$defs/cacert"},"client_certificate":{"$ref":"#/$defs/clientCertificate"},"client_private_key":{"$ref":"#/$defs/clientPrivateKey"},"tls_servername":{"$ref":"#/$defs/tlsServername"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"slot_name_prefix":{"$ref":"#/$defs/slotNamePrefix"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"connect_timeout":{"$ref":"#/$defs/connectTimeout"},"snapshot_socket_timeout":{"$ref":"#/$defs/snapshotSocketTimeout"},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"}}},"embeddedConnection":{"additionalProperties":false,"properties":{"type":{"const":"embedded"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"schema":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},"port":{"$ref":"#/$defs/databasePort"},"password":{"type":"string"}}},"mongoConnection":{"additionalProperties":false,"required":["uri"],"properties":{"type":{"const":"mongodb"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"$ref":"#/$defs/mongoUri"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"post_images":{"type":"string","enum":["off","auto_configure","read_only"]},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"}}},"mysqlConnection":{"additionalProperties":false,"properties":{"type":{"const":"mysql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"type":"string"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"server_id":{"type":"number"},"cacert":{"$ref":"#/$defs/cacert"},"client_certificate":{"$ref":"#/$defs/clientCertificate"},"client_private_key":{"$ref":"#/$defs/clientPrivateKey"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"binlog_queue_memory_limit":{"type":"number"}}},"mssqlConnection":{"additionalProperties":false,"properties":{"type":{"const":"mssql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"type":"string"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"schema":{"type":"string"},"authentication":{"type":"object","additionalProperties":false,"properties":{"type":{"type":"string","enum":["default","azure-active-directory-service-principal-secret"]},"options":{"type":"object"}}},"cacert":{"$ref":"#/$defs/cacert"},"tls_servername":{"$ref":"#/$defs/tlsServername"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"},"additionalConfig":{"type":"object","additionalProperties":false,"properties":{"pollingIntervalMs":{"type":"number"},"pollingBatchSize":{"type":"number"},"trustServerCertificate":{"type":"boolean"}}}}},"convexConnection":{"additionalProperties":false,"properties":{"type":{"const":"convex"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"deployment_url":{"type":"string"},"deploy_key":{"type":"string"},"polling_interval_ms":{"type":"number"},"request_timeout_ms":{"type":"number"}}},"storage":{"type":"object","required":["type"],"discriminator":{"propertyName":"type"},"oneOf":[{"$ref":"#/$defs/postgresStorage"},{"$ref":"#/$defs/mongoStorage"},{"$ref":"#/$defs/embeddedStorage"}]},"postgresStorage":{"additionalProperties":false,"properties":{"type":{"const":"postgresql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"default_storage_version":{"$ref":"#/$defs/defaultStorageVersion"},"uri":{"$ref":"#/$defs/postgresUri"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"sslmode":{"$ref":"#/$defs/sslmode"},"cacert":{"$ref":"#/$defs/cacert"},"client_certificate":{"$ref":"#/$defs/clientCertificate"},"client_private_key":{"$ref":"#/$defs/clientPrivateKey"},"tls_servername":{"$ref":"#/$defs/tlsServername"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"slot_name_prefix":{"$ref":"#/$defs/slotNamePrefix"},"connect_timeout":{"$ref":"#/$defs/connectTimeout"},"snapshot_socket_timeout":{"$ref":"#/$defs/snapshotSocketTimeout"},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"},"batch_limits":{"type":"object","additionalProperties":false,"properties":{"max_record_count":{"type":"number"},"max_estimated_size":{"type":"number"},"max_current_data_batch_size":{"type":"number"}}}}},"mongoStorage":{"additionalProperties":false,"required":["uri"],"properties":{"type":{"const":"mongodb"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"default_storage_version":{"$ref":"#/$defs/defaultStorageVersion"},"uri":{"$ref":"#/$defs/mongoUri"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"bulk_read_preference":{"type":"string","enum":["primary","primaryPreferred","secondary","secondaryPreferred","nearest"]},"clear_batch_throttle_rate":{"type":"number","minimum":0,"maximum":20},"object_storage":{"type":"object","additionalProperties":false,"properties":{"type":{"type":"string","enum":["s3"]},"bucket":{"type":"string"},"region":{"type":"string"},"prefix":{"type":"string"},"endpoint":{"type":"string"},"force_path_style":{"type":"boolean"},"access_key_id":{"type":"string"},"secret_access_key":{"type":"string"},"concurrency_limit":{"type":"number"},"inline_threshold_bytes":{"type":"number"}}}}},"embeddedStorage":{"additionalProperties":false,"properties":{"type":{"const":"embedded"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"default_storage_version":{"$ref":"#/$defs/defaultStorageVersion"},"path":{"type":"string"}}},"syncConfig":{"type":"object","additionalProperties":false,"properties":{"path":{"type":"string"},"content":{"type":"string"},"exit_on_error":{"type":"boolean"}}},"clientAuth":{"type":"object","additionalProperties":false,"properties":{"jwks_uri":{"type":["string","array"],"items":{"type":"string"}},"jwks":{"type":"object","additionalProperties":false,"required":["keys"],"properties":{"keys":{"type":"array","items":{"$ref":"#/$defs/jwk"}}}},"jwks_reject_ip_ranges":{"type":"array","items":{"type":"string"}},"block_local_jwks":{"type":"boolean"},"allow_local_jwks":{},"supabase":{"type":"boolean"},"supabase_jwt_secret":{"type":"string"},"audience":{"type":"array","items":{"type":"string"}}}},"jwk":{"type":"object","required":["kty"],"discriminator":{"propertyName":"kty"},"oneOf":[{"$ref":"#/$defs/rsaKey"},{"$ref":"#/$defs/octKey"},{"$ref":"#/$defs/okpKey"},{"$ref":"#/$defs/ecKey"}]},"kid":{"type":"string"},"use":{"type":"string"},"privateMember":{"type":"string"},"rsaKey":{"required":["kid","n","e"],"properties":{"kty":{"const":"RSA"},"kid":{"type":"string"},"n":{"type":"string"},"e":{"type":"string"},"alg":{"type":"string","enum":["RS256","RS384","RS512"]},"use":{"$ref":"#/$defs/use"},"d":{"$ref":"#/$defs/privateMember"}}},"octKey":{"required":["k","alg"],"properties":{"kty":{"const":"oct"},"kid":{"$ref":"#/$defs/kid"},"k":{"type":"string"},"alg":{"type":"string","enum":["HS256","HS384","HS512"]},"use":{"$ref":"#/$defs/use"}}},"okpKey":{"required":["crv","x","alg"],"properties":{"kty":{"const":"OKP"},"kid":{"$ref":"#/$defs/kid"},"crv":{"type":"string","enum":["Ed25519","Ed448"]},"x":{"type":"string"},"alg":{"type":"string","enum":["EdDSA"]},"use":{"$ref":"#/$defs/use"},"d":{"$ref":"#/$defs/privateMember"}}},"ecKey":{"required":["crv","x","y","alg"],"properties":{"kty":{"const":"EC"},"kid":{"$ref":"#/$defs/kid"},"crv":{"type":"string","enum":["P-256","P-384","P-521"]},"x":{"type":"string"},"y":{"type":"string"},"alg":{"type":"string","enum":["ES256","ES384","ES512"]},"use":{"$ref":"#/$defs/use"},"d":{"$ref":"#/$defs/privateMember"}}},"api":{"type":"object","additionalProperties":false,"properties":{"tokens":{"type":"array","items":{"type":"string"}},"parameters":{"type":"object","additionalProperties":false,"properties":{"max_concurrent_connections":{"type":"number"},"max_data_fetch_concurrency":{"type":"number"},"max_buckets_per_connection":{"type":"number"},"max_parameter_query_results":{"type":"number"},"checkpoint_request_retention_minutes":{"type":"integer","minimum":1},"bucket_count_cache_ttl_minutes":{"type":"integer","minimum":1}}}}}}};
const schema133 = {"type":["integer","string"],"pattern":"^[0-9]+$","minimum":0,"maximum":65535};
const schema134 = {"type":"object","additionalProperties":false,"properties":{"path":{"type":"string"},"content":{"type":"string"},"exit_on_error":{"type":"boolean"}}};
const schema152 = {"type":"object","additionalProperties":false,"properties":{"tokens":{"type":"array","items":{"type":"string"}},"parameters":{"type":"object","additionalProperties":false,"properties":{"max_concurrent_connections":{"type":"number"},"max_data_fetch_concurrency":{"type":"number"},"max_buckets_per_connection":{"type":"number"},"max_parameter_query_results":{"type":"number"},"checkpoint_request_retention_minutes":{"type":"integer","minimum":1},"bucket_count_cache_ttl_minutes":{"type":"integer","minimum":1}}}}};
const func1 = Object.prototype.hasOwnProperty;
const schema32 = {"type":"object","required":["type"],"discriminator":{"propertyName":"type"},"oneOf":[{"$ref":"#/$defs/postgresConnection"},{"$ref":"#/$defs/embeddedConnection"},{"$ref":"#/$defs/mongoConnection"},{"$ref":"#/$defs/mysqlConnection"},{"$ref":"#/$defs/mssqlConnection"},{"$ref":"#/$defs/convexConnection"}]};
const schema33 = {"additionalProperties":false,"properties":{"type":{"const":"postgresql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"$ref":"#/$defs/postgresUri"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"sslmode":{"$ref":"#/$defs/sslmode"},"cacert":{"$ref":"#/$defs/cacert"},"client_certificate":{"$ref":"#/$defs/clientCertificate"},"client_private_key":{"$ref":"#/$defs/clientPrivateKey"},"tls_servername":{"$ref":"#/$defs/tlsServername"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"slot_name_prefix":{"$ref":"#/$defs/slotNamePrefix"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"connect_timeout":{"$ref":"#/$defs/connectTimeout"},"snapshot_socket_timeout":{"$ref":"#/$defs/snapshotSocketTimeout"},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"}}};
const schema34 = {"type":"string"};
const schema35 = {"type":"string"};
const schema36 = {"type":"boolean"};
const schema37 = {"type":"string"};
const schema38 = {"type":"string"};
const schema39 = {"type":["integer","string"],"pattern":"^[0-9]+$","minimum":1024,"maximum":65535};
const schema40 = {"type":"string"};
const schema41 = {"type":"string"};
const schema42 = {"type":"string"};
const schema43 = {"type":"string","enum":["verify-full","verify-ca","disable"]};
const schema44 = {"type":"string"};
const schema45 = {"type":"string"};
const schema46 = {"type":"string"};
const schema47 = {"type":"string"};
const schema48 = {"type":"array","items":{"type":"string"}};
const schema49 = {"type":"string"};
const schema50 = {"type":"number"};
const schema51 = {"type":"number"};
const schema52 = {"type":"number"};
const schema53 = {"type":["number","null"],"minimum":5,"maximum":60};
const pattern4 = new RegExp("^[0-9]+$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func1.call(schema33.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("postgresql" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "postgresql"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err3 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err4 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
const err5 = {instancePath:instancePath+"/uri",schemaPath:"#/$defs/postgresUri/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.hostname !== undefined){
if(typeof data.hostname !== "string"){
const err6 = {instancePath:instancePath+"/hostname",schemaPath:"#/$defs/hostname/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.port !== undefined){
let data6 = data.port;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (typeof data6 !== "string")){
const err7 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/type",keyword:"type",params:{type: schema39.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 65535 || isNaN(data6)){
const err8 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data6 < 1024 || isNaN(data6)){
const err9 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
const err10 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
const err11 = {instancePath:instancePath+"/username",schemaPath:"#/$defs/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err12 = {instancePath:instancePath+"/password",schemaPath:"#/$defs/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.database !== undefined){
if(typeof data.database !== "string"){
const err13 = {instancePath:instancePath+"/database",schemaPath:"#/$defs/database/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.sslmode !== undefined){
let data10 = data.sslmode;
if(typeof data10 !== "string"){
const err14 = {instancePath:instancePath+"/sslmode",schemaPath:"#/$defs/sslmode/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!(((data10 === "verify-full") || (data10 === "verify-ca")) || (data10 === "disable"))){
const err15 = {instancePath:instancePath+"/sslmode",schemaPath:"#/$defs/sslmode/enum",keyword:"enum",params:{allowedValues: schema43.enum}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.cacert !== undefined){
if(typeof data.cacert !== "string"){
const err16 = {instancePath:instancePath+"/cacert",schemaPath:"#/$defs/cacert/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.client_certificate !== undefined){
if(typeof data.client_certificate !== "string"){
const err17 = {instancePath:instancePath+"/client_certificate",schemaPath:"#/$defs/clientCertificate/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.client_private_key !== undefined){
if(typeof data.client_private_key !== "string"){
const err18 = {instancePath:instancePath+"/client_private_key",schemaPath:"#/$defs/clientPrivateKey/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.tls_servername !== undefined){
if(typeof data.tls_servername !== "string"){
const err19 = {instancePath:instancePath+"/tls_servername",schemaPath:"#/$defs/tlsServername/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.reject_ip_ranges !== undefined){
let data15 = data.reject_ip_ranges;
if(Array.isArray(data15)){
const len0 = data15.length;
for(let i0=0; i0<len0; i0++){
if(typeof data15[i0] !== "string"){
const err20 = {instancePath:instancePath+"/reject_ip_ranges/" + i0,schemaPath:"#/$defs/rejectIpRanges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/reject_ip_ranges",schemaPath:"#/$defs/rejectIpRanges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.slot_name_prefix !== undefined){
if(typeof data.slot_name_prefix !== "string"){
const err22 = {instancePath:instancePath+"/slot_name_prefix",schemaPath:"#/$defs/slotNamePrefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.max_pool_size !== undefined){
let data18 = data.max_pool_size;
if(!((typeof data18 == "number") && (isFinite(data18)))){
const err23 = {instancePath:instancePath+"/max_pool_size",schemaPath:"#/$defs/maxPoolSize/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.connect_timeout !== undefined){
let data19 = data.connect_timeout;
if(!((typeof data19 == "number") && (isFinite(data19)))){
const err24 = {instancePath:instancePath+"/connect_timeout",schemaPath:"#/$defs/connectTimeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.snapshot_socket_timeout !== undefined){
let data20 = data.snapshot_socket_timeout;
if(!((typeof data20 == "number") && (isFinite(data20)))){
const err25 = {instancePath:instancePath+"/snapshot_socket_timeout",schemaPath:"#/$defs/snapshotSocketTimeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.heartbeat_interval_seconds !== undefined){
let data21 = data.heartbeat_interval_seconds;
if((!((typeof data21 == "number") && (isFinite(data21)))) && (data21 !== null)){
const err26 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/type",keyword:"type",params:{type: schema53.type}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 60 || isNaN(data21)){
const err27 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data21 < 5 || isNaN(data21)){
const err28 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/minimum",keyword:"minimum",params:{comparison: ">=", limit: 5}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema54 = {"additionalProperties":false,"properties":{"type":{"const":"embedded"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"schema":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},"port":{"$ref":"#/$defs/databasePort"},"password":{"type":"string"}}};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((((((key0 === "type") || (key0 === "id")) || (key0 === "tag")) || (key0 === "debug_api")) || (key0 === "schema")) || (key0 === "port")) || (key0 === "password"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("embedded" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "embedded"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err3 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err4 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.schema !== undefined){
let data4 = data.schema;
const _errs12 = errors;
let valid4 = false;
const _errs13 = errors;
if(typeof data4 !== "string"){
const err5 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid4 = valid4 || _valid0;
const _errs15 = errors;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
if(typeof data4[i0] !== "string"){
const err6 = {instancePath:instancePath+"/schema/" + i0,schemaPath:"#/properties/schema/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid0 = _errs15 === errors;
valid4 = valid4 || _valid0;
if(!valid4){
const err8 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
else {
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
}
}
if(data.port !== undefined){
let data6 = data.port;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (typeof data6 !== "string")){
const err9 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/type",keyword:"type",params:{type: schema39.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 65535 || isNaN(data6)){
const err10 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data6 < 1024 || isNaN(data6)){
const err11 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
const err12 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err13 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema59 = {"additionalProperties":false,"required":["uri"],"properties":{"type":{"const":"mongodb"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"$ref":"#/$defs/mongoUri"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"post_images":{"type":"string","enum":["off","auto_configure","read_only"]},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"}}};
const schema63 = {"type":"string"};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.uri === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "uri"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(func1.call(schema59.properties, key0))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.type !== undefined){
if("mongodb" !== data.type){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "mongodb"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err3 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err4 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err5 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
const err6 = {instancePath:instancePath+"/uri",schemaPath:"#/$defs/mongoUri/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
const err7 = {instancePath:instancePath+"/username",schemaPath:"#/$defs/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err8 = {instancePath:instancePath+"/password",schemaPath:"#/$defs/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.database !== undefined){
if(typeof data.database !== "string"){
const err9 = {instancePath:instancePath+"/database",schemaPath:"#/$defs/database/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.reject_ip_ranges !== undefined){
let data8 = data.reject_ip_ranges;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
if(typeof data8[i0] !== "string"){
const err10 = {instancePath:instancePath+"/reject_ip_ranges/" + i0,schemaPath:"#/$defs/rejectIpRanges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/reject_ip_ranges",schemaPath:"#/$defs/rejectIpRanges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.post_images !== undefined){
let data10 = data.post_images;
if(typeof data10 !== "string"){
const err12 = {instancePath:instancePath+"/post_images",schemaPath:"#/properties/post_images/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!(((data10 === "off") || (data10 === "auto_configure")) || (data10 === "read_only"))){
const err13 = {instancePath:instancePath+"/post_images",schemaPath:"#/properties/post_images/enum",keyword:"enum",params:{allowedValues: schema59.properties.post_images.enum}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.heartbeat_interval_seconds !== undefined){
let data11 = data.heartbeat_interval_seconds;
if((!((typeof data11 == "number") && (isFinite(data11)))) && (data11 !== null)){
const err14 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/type",keyword:"type",params:{type: schema53.type}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 60 || isNaN(data11)){
const err15 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data11 < 5 || isNaN(data11)){
const err16 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/minimum",keyword:"minimum",params:{comparison: ">=", limit: 5}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema69 = {"additionalProperties":false,"properties":{"type":{"const":"mysql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"type":"string"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"server_id":{"type":"number"},"cacert":{"$ref":"#/$defs/cacert"},"client_certificate":{"$ref":"#/$defs/clientCertificate"},"client_private_key":{"$ref":"#/$defs/clientPrivateKey"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"binlog_queue_memory_limit":{"type":"number"}}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func1.call(schema69.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("mysql" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "mysql"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err3 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err4 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
const err5 = {instancePath:instancePath+"/uri",schemaPath:"#/properties/uri/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.hostname !== undefined){
if(typeof data.hostname !== "string"){
const err6 = {instancePath:instancePath+"/hostname",schemaPath:"#/$defs/hostname/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.port !== undefined){
let data6 = data.port;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (typeof data6 !== "string")){
const err7 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/type",keyword:"type",params:{type: schema39.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 65535 || isNaN(data6)){
const err8 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data6 < 1024 || isNaN(data6)){
const err9 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
const err10 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
const err11 = {instancePath:instancePath+"/username",schemaPath:"#/$defs/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err12 = {instancePath:instancePath+"/password",schemaPath:"#/$defs/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.database !== undefined){
if(typeof data.database !== "string"){
const err13 = {instancePath:instancePath+"/database",schemaPath:"#/$defs/database/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.server_id !== undefined){
let data10 = data.server_id;
if(!((typeof data10 == "number") && (isFinite(data10)))){
const err14 = {instancePath:instancePath+"/server_id",schemaPath:"#/properties/server_id/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.cacert !== undefined){
if(typeof data.cacert !== "string"){
const err15 = {instancePath:instancePath+"/cacert",schemaPath:"#/$defs/cacert/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.client_certificate !== undefined){
if(typeof data.client_certificate !== "string"){
const err16 = {instancePath:instancePath+"/client_certificate",schemaPath:"#/$defs/clientCertificate/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.client_private_key !== undefined){
if(typeof data.client_private_key !== "string"){
const err17 = {instancePath:instancePath+"/client_private_key",schemaPath:"#/$defs/clientPrivateKey/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.reject_ip_ranges !== undefined){
let data14 = data.reject_ip_ranges;
if(Array.isArray(data14)){
const len0 = data14.length;
for(let i0=0; i0<len0; i0++){
if(typeof data14[i0] !== "string"){
const err18 = {instancePath:instancePath+"/reject_ip_ranges/" + i0,schemaPath:"#/$defs/rejectIpRanges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/reject_ip_ranges",schemaPath:"#/$defs/rejectIpRanges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.binlog_queue_memory_limit !== undefined){
let data16 = data.binlog_queue_memory_limit;
if(!((typeof data16 == "number") && (isFinite(data16)))){
const err20 = {instancePath:instancePath+"/binlog_queue_memory_limit",schemaPath:"#/properties/binlog_queue_memory_limit/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema82 = {"additionalProperties":false,"properties":{"type":{"const":"mssql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"uri":{"type":"string"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"schema":{"type":"string"},"authentication":{"type":"object","additionalProperties":false,"properties":{"type":{"type":"string","enum":["default","azure-active-directory-service-principal-secret"]},"options":{"type":"object"}}},"cacert":{"$ref":"#/$defs/cacert"},"tls_servername":{"$ref":"#/$defs/tlsServername"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"},"additionalConfig":{"type":"object","additionalProperties":false,"properties":{"pollingIntervalMs":{"type":"number"},"pollingBatchSize":{"type":"number"},"trustServerCertificate":{"type":"boolean"}}}}};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func1.call(schema82.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("mssql" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "mssql"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err3 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err4 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
const err5 = {instancePath:instancePath+"/uri",schemaPath:"#/properties/uri/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.hostname !== undefined){
if(typeof data.hostname !== "string"){
const err6 = {instancePath:instancePath+"/hostname",schemaPath:"#/$defs/hostname/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.port !== undefined){
let data6 = data.port;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (typeof data6 !== "string")){
const err7 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/type",keyword:"type",params:{type: schema39.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 65535 || isNaN(data6)){
const err8 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data6 < 1024 || isNaN(data6)){
const err9 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
const err10 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
const err11 = {instancePath:instancePath+"/username",schemaPath:"#/$defs/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err12 = {instancePath:instancePath+"/password",schemaPath:"#/$defs/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.database !== undefined){
if(typeof data.database !== "string"){
const err13 = {instancePath:instancePath+"/database",schemaPath:"#/$defs/database/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.schema !== undefined){
if(typeof data.schema !== "string"){
const err14 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.authentication !== undefined){
let data11 = data.authentication;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key1 in data11){
if(!((key1 === "type") || (key1 === "options"))){
const err15 = {instancePath:instancePath+"/authentication",schemaPath:"#/properties/authentication/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data11.type !== undefined){
let data12 = data11.type;
if(typeof data12 !== "string"){
const err16 = {instancePath:instancePath+"/authentication/type",schemaPath:"#/properties/authentication/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(!((data12 === "default") || (data12 === "azure-active-directory-service-principal-secret"))){
const err17 = {instancePath:instancePath+"/authentication/type",schemaPath:"#/properties/authentication/properties/type/enum",keyword:"enum",params:{allowedValues: schema82.properties.authentication.properties.type.enum}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data11.options !== undefined){
let data13 = data11.options;
if(!(data13 && typeof data13 == "object" && !Array.isArray(data13))){
const err18 = {instancePath:instancePath+"/authentication/options",schemaPath:"#/properties/authentication/properties/options/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/authentication",schemaPath:"#/properties/authentication/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.cacert !== undefined){
if(typeof data.cacert !== "string"){
const err20 = {instancePath:instancePath+"/cacert",schemaPath:"#/$defs/cacert/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.tls_servername !== undefined){
if(typeof data.tls_servername !== "string"){
const err21 = {instancePath:instancePath+"/tls_servername",schemaPath:"#/$defs/tlsServername/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.reject_ip_ranges !== undefined){
let data16 = data.reject_ip_ranges;
if(Array.isArray(data16)){
const len0 = data16.length;
for(let i0=0; i0<len0; i0++){
if(typeof data16[i0] !== "string"){
const err22 = {instancePath:instancePath+"/reject_ip_ranges/" + i0,schemaPath:"#/$defs/rejectIpRanges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/reject_ip_ranges",schemaPath:"#/$defs/rejectIpRanges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.heartbeat_interval_seconds !== undefined){
let data18 = data.heartbeat_interval_seconds;
if((!((typeof data18 == "number") && (isFinite(data18)))) && (data18 !== null)){
const err24 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/type",keyword:"type",params:{type: schema53.type}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 60 || isNaN(data18)){
const err25 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(data18 < 5 || isNaN(data18)){
const err26 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/minimum",keyword:"minimum",params:{comparison: ">=", limit: 5}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
if(data.additionalConfig !== undefined){
let data19 = data.additionalConfig;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
for(const key2 in data19){
if(!(((key2 === "pollingIntervalMs") || (key2 === "pollingBatchSize")) || (key2 === "trustServerCertificate"))){
const err27 = {instancePath:instancePath+"/additionalConfig",schemaPath:"#/properties/additionalConfig/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data19.pollingIntervalMs !== undefined){
let data20 = data19.pollingIntervalMs;
if(!((typeof data20 == "number") && (isFinite(data20)))){
const err28 = {instancePath:instancePath+"/additionalConfig/pollingIntervalMs",schemaPath:"#/properties/additionalConfig/properties/pollingIntervalMs/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data19.pollingBatchSize !== undefined){
let data21 = data19.pollingBatchSize;
if(!((typeof data21 == "number") && (isFinite(data21)))){
const err29 = {instancePath:instancePath+"/additionalConfig/pollingBatchSize",schemaPath:"#/properties/additionalConfig/properties/pollingBatchSize/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data19.trustServerCertificate !== undefined){
if(typeof data19.trustServerCertificate !== "boolean"){
const err30 = {instancePath:instancePath+"/additionalConfig/trustServerCertificate",schemaPath:"#/properties/additionalConfig/properties/trustServerCertificate/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/additionalConfig",schemaPath:"#/properties/additionalConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema95 = {"additionalProperties":false,"properties":{"type":{"const":"convex"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"deployment_url":{"type":"string"},"deploy_key":{"type":"string"},"polling_interval_ms":{"type":"number"},"request_timeout_ms":{"type":"number"}}};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((((key0 === "type") || (key0 === "id")) || (key0 === "tag")) || (key0 === "debug_api")) || (key0 === "deployment_url")) || (key0 === "deploy_key")) || (key0 === "polling_interval_ms")) || (key0 === "request_timeout_ms"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("convex" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "convex"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err3 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err4 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.deployment_url !== undefined){
if(typeof data.deployment_url !== "string"){
const err5 = {instancePath:instancePath+"/deployment_url",schemaPath:"#/properties/deployment_url/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.deploy_key !== undefined){
if(typeof data.deploy_key !== "string"){
const err6 = {instancePath:instancePath+"/deploy_key",schemaPath:"#/properties/deploy_key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.polling_interval_ms !== undefined){
let data6 = data.polling_interval_ms;
if(!((typeof data6 == "number") && (isFinite(data6)))){
const err7 = {instancePath:instancePath+"/polling_interval_ms",schemaPath:"#/properties/polling_interval_ms/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.request_timeout_ms !== undefined){
let data7 = data.request_timeout_ms;
if(!((typeof data7 == "number") && (isFinite(data7)))){
const err8 = {instancePath:instancePath+"/request_timeout_ms",schemaPath:"#/properties/request_timeout_ms/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const tag0 = data.type;
if(typeof tag0 == "string"){
if(tag0 === "postgresql"){
if(!(validate22(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
var props0 = true;
}
else if(tag0 === "embedded"){
if(!(validate23(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "mongodb"){
if(!(validate24(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "mysql"){
if(!(validate25(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "mssql"){
if(!(validate26(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "convex"){
if(!(validate27(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else {
const err1 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate21.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate21.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema99 = {"type":"object","required":["type"],"discriminator":{"propertyName":"type"},"oneOf":[{"$ref":"#/$defs/postgresStorage"},{"$ref":"#/$defs/mongoStorage"},{"$ref":"#/$defs/embeddedStorage"}]};
const schema100 = {"additionalProperties":false,"properties":{"type":{"const":"postgresql"},"id":{"$ref":"#/$defs/id"},"tag":{"$ref":"#/$defs/tag"},"debug_api":{"$ref":"#/$defs/debugApi"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"default_storage_version":{"$ref":"#/$defs/defaultStorageVersion"},"uri":{"$ref":"#/$defs/postgresUri"},"hostname":{"$ref":"#/$defs/hostname"},"port":{"$ref":"#/$defs/databasePort"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"sslmode":{"$ref":"#/$defs/sslmode"},"cacert":{"$ref":"#/$defs/cacert"},"client_certificate":{"$ref":"#/$defs/clientCertificate"},"client_private_key":{"$ref":"#/$defs/clientPrivateKey"},"tls_servername":{"$ref":"#/$defs/tlsServername"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"slot_name_prefix":{"$ref":"#/$defs/slotNamePrefix"},"connect_timeout":{"$ref":"#/$defs/connectTimeout"},"snapshot_socket_timeout":{"$ref":"#/$defs/snapshotSocketTimeout"},"heartbeat_interval_seconds":{"$ref":"#/$defs/heartbeat"},"batch_limits":{"type":"object","additionalProperties":false,"properties":{"max_record_count":{"type":"number"},"max_estimated_size":{"type":"number"},"max_current_data_batch_size":{"type":"number"}}}}};
const schema105 = {"type":"number","enum":[2,3]};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func1.call(schema100.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("postgresql" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "postgresql"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err3 = {instancePath:instancePath+"/tag",schemaPath:"#/$defs/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.debug_api !== undefined){
if(typeof data.debug_api !== "boolean"){
const err4 = {instancePath:instancePath+"/debug_api",schemaPath:"#/$defs/debugApi/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.max_pool_size !== undefined){
let data4 = data.max_pool_size;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err5 = {instancePath:instancePath+"/max_pool_size",schemaPath:"#/$defs/maxPoolSize/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.default_storage_version !== undefined){
let data5 = data.default_storage_version;
if(!((typeof data5 == "number") && (isFinite(data5)))){
const err6 = {instancePath:instancePath+"/default_storage_version",schemaPath:"#/$defs/defaultStorageVersion/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!((data5 === 2) || (data5 === 3))){
const err7 = {instancePath:instancePath+"/default_storage_version",schemaPath:"#/$defs/defaultStorageVersion/enum",keyword:"enum",params:{allowedValues: schema105.enum}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
const err8 = {instancePath:instancePath+"/uri",schemaPath:"#/$defs/postgresUri/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.hostname !== undefined){
if(typeof data.hostname !== "string"){
const err9 = {instancePath:instancePath+"/hostname",schemaPath:"#/$defs/hostname/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.port !== undefined){
let data8 = data.port;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (typeof data8 !== "string")){
const err10 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/type",keyword:"type",params:{type: schema39.type}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 65535 || isNaN(data8)){
const err11 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data8 < 1024 || isNaN(data8)){
const err12 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1024}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(typeof data8 === "string"){
if(!pattern4.test(data8)){
const err13 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/databasePort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
const err14 = {instancePath:instancePath+"/username",schemaPath:"#/$defs/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err15 = {instancePath:instancePath+"/password",schemaPath:"#/$defs/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.database !== undefined){
if(typeof data.database !== "string"){
const err16 = {instancePath:instancePath+"/database",schemaPath:"#/$defs/database/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.sslmode !== undefined){
let data12 = data.sslmode;
if(typeof data12 !== "string"){
const err17 = {instancePath:instancePath+"/sslmode",schemaPath:"#/$defs/sslmode/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!(((data12 === "verify-full") || (data12 === "verify-ca")) || (data12 === "disable"))){
const err18 = {instancePath:instancePath+"/sslmode",schemaPath:"#/$defs/sslmode/enum",keyword:"enum",params:{allowedValues: schema43.enum}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.cacert !== undefined){
if(typeof data.cacert !== "string"){
const err19 = {instancePath:instancePath+"/cacert",schemaPath:"#/$defs/cacert/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.client_certificate !== undefined){
if(typeof data.client_certificate !== "string"){
const err20 = {instancePath:instancePath+"/client_certificate",schemaPath:"#/$defs/clientCertificate/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.client_private_key !== undefined){
if(typeof data.client_private_key !== "string"){
const err21 = {instancePath:instancePath+"/client_private_key",schemaPath:"#/$defs/clientPrivateKey/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.tls_servername !== undefined){
if(typeof data.tls_servername !== "string"){
const err22 = {instancePath:instancePath+"/tls_servername",schemaPath:"#/$defs/tlsServername/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.reject_ip_ranges !== undefined){
let data17 = data.reject_ip_ranges;
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
if(typeof data17[i0] !== "string"){
const err23 = {instancePath:instancePath+"/reject_ip_ranges/" + i0,schemaPath:"#/$defs/rejectIpRanges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath:instancePath+"/reject_ip_ranges",schemaPath:"#/$defs/rejectIpRanges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.slot_name_prefix !== undefined){
if(typeof data.slot_name_prefix !== "string"){
const err25 = {instancePath:instancePath+"/slot_name_prefix",schemaPath:"#/$defs/slotNamePrefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.connect_timeout !== undefined){
let data20 = data.connect_timeout;
if(!((typeof data20 == "number") && (isFinite(data20)))){
const err26 = {instancePath:instancePath+"/connect_timeout",schemaPath:"#/$defs/connectTimeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.snapshot_socket_timeout !== undefined){
let data21 = data.snapshot_socket_timeout;
if(!((typeof data21 == "number") && (isFinite(data21)))){
const err27 = {instancePath:instancePath+"/snapshot_socket_timeout",schemaPath:"#/$defs/snapshotSocketTimeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.heartbeat_interval_seconds !== undefined){
let data22 = data.heartbeat_interval_seconds;
if((!((typeof data22 == "number") && (isFinite(data22)))) && (data22 !== null)){
const err28 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/type",keyword:"type",params:{type: schema53.type}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 60 || isNaN(data22)){
const err29 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data22 < 5 || isNaN(data22)){
const err30 = {instancePath:instancePath+"/heartbeat_interval_seconds",schemaPath:"#/$defs/heartbeat/minimum",keyword:"minimum",params:{comparison: ">=", limit: 5}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data.batch_limits !== undefined){
let data23 = data.batch_limits;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
for(const key1 in data23){
if(!(((key1 === "max_record_count") || (key1 === "max_estimated_size")) || (key1 === "max_current_data_batch_size"))){
const err31 = {instancePath:instancePath+"/batch_limits",schemaPath:"#/properties/batch_limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data23.max_record_count !== undefined){
let data24 = data23.max_record_count;
if(!((typeof data24 == "number") && (isFinite(data24)))){
const err32 = {instancePath:instancePath+"/batch_limits/max_record_count",schemaPath:"#/properties/batch_limits/properties/max_record_count/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data23.max_estimated_size !== undefined){
let data25 = data23.max_estimated_size;
if(!((typeof data25 == "number") && (isFinite(data25)))){
const err33 = {instancePath:instancePath+"/batch_limits/max_estimated_size",schemaPath:"#/properties/batch_limits/properties/max_estimated_size/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data23.max_current_data_batch_size !== undefined){
let data26 = data23.max_current_data_batch_size;
if(!((typeof data26 == "number") && (isFinite(data26)))){
const err34 = {instancePath:instancePath+"/batch_limits/max_current_data_batch_size",schemaPath:"#/properties/batch_limits/properties/max_current_data_batch_size/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/batch_limits",schemaPath:"#/properties/batch_limits/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
validate36.errors = vErrors;
return errors === 0;
}
validate36.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema122 = {"additionalProperties":false,"required":["uri"],"properties":{"type":{"const":"mongodb"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"default_storage_version":{"$ref":"#/$defs/defaultStorageVersion"},"uri":{"$ref":"#/$defs/mongoUri"},"username":{"$ref":"#/$defs/username"},"password":{"$ref":"#/$defs/password"},"database":{"$ref":"#/$defs/database"},"reject_ip_ranges":{"$ref":"#/$defs/rejectIpRanges"},"bulk_read_preference":{"type":"string","enum":["primary","primaryPreferred","secondary","secondaryPreferred","nearest"]},"clear_batch_throttle_rate":{"type":"number","minimum":0,"maximum":20},"object_storage":{"type":"object","additionalProperties":false,"properties":{"type":{"type":"string","enum":["s3"]},"bucket":{"type":"string"},"region":{"type":"string"},"prefix":{"type":"string"},"endpoint":{"type":"string"},"force_path_style":{"type":"boolean"},"access_key_id":{"type":"string"},"secret_access_key":{"type":"string"},"concurrency_limit":{"type":"number"},"inline_threshold_bytes":{"type":"number"}}}}};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate37.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.uri === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "uri"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(func1.call(schema122.properties, key0))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.type !== undefined){
if("mongodb" !== data.type){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "mongodb"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.max_pool_size !== undefined){
let data1 = data.max_pool_size;
if(!((typeof data1 == "number") && (isFinite(data1)))){
const err3 = {instancePath:instancePath+"/max_pool_size",schemaPath:"#/$defs/maxPoolSize/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.default_storage_version !== undefined){
let data2 = data.default_storage_version;
if(!((typeof data2 == "number") && (isFinite(data2)))){
const err4 = {instancePath:instancePath+"/default_storage_version",schemaPath:"#/$defs/defaultStorageVersion/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((data2 === 2) || (data2 === 3))){
const err5 = {instancePath:instancePath+"/default_storage_version",schemaPath:"#/$defs/defaultStorageVersion/enum",keyword:"enum",params:{allowedValues: schema105.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
const err6 = {instancePath:instancePath+"/uri",schemaPath:"#/$defs/mongoUri/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.username !== undefined){
if(typeof data.username !== "string"){
const err7 = {instancePath:instancePath+"/username",schemaPath:"#/$defs/username/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err8 = {instancePath:instancePath+"/password",schemaPath:"#/$defs/password/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.database !== undefined){
if(typeof data.database !== "string"){
const err9 = {instancePath:instancePath+"/database",schemaPath:"#/$defs/database/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.reject_ip_ranges !== undefined){
let data7 = data.reject_ip_ranges;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
if(typeof data7[i0] !== "string"){
const err10 = {instancePath:instancePath+"/reject_ip_ranges/" + i0,schemaPath:"#/$defs/rejectIpRanges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/reject_ip_ranges",schemaPath:"#/$defs/rejectIpRanges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.bulk_read_preference !== undefined){
let data9 = data.bulk_read_preference;
if(typeof data9 !== "string"){
const err12 = {instancePath:instancePath+"/bulk_read_preference",schemaPath:"#/properties/bulk_read_preference/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!(((((data9 === "primary") || (data9 === "primaryPreferred")) || (data9 === "secondary")) || (data9 === "secondaryPreferred")) || (data9 === "nearest"))){
const err13 = {instancePath:instancePath+"/bulk_read_preference",schemaPath:"#/properties/bulk_read_preference/enum",keyword:"enum",params:{allowedValues: schema122.properties.bulk_read_preference.enum}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.clear_batch_throttle_rate !== undefined){
let data10 = data.clear_batch_throttle_rate;
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 20 || isNaN(data10)){
const err14 = {instancePath:instancePath+"/clear_batch_throttle_rate",schemaPath:"#/properties/clear_batch_throttle_rate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data10 < 0 || isNaN(data10)){
const err15 = {instancePath:instancePath+"/clear_batch_throttle_rate",schemaPath:"#/properties/clear_batch_throttle_rate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/clear_batch_throttle_rate",schemaPath:"#/properties/clear_batch_throttle_rate/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.object_storage !== undefined){
let data11 = data.object_storage;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key1 in data11){
if(!(func1.call(schema122.properties.object_storage.properties, key1))){
const err17 = {instancePath:instancePath+"/object_storage",schemaPath:"#/properties/object_storage/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data11.type !== undefined){
let data12 = data11.type;
if(typeof data12 !== "string"){
const err18 = {instancePath:instancePath+"/object_storage/type",schemaPath:"#/properties/object_storage/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!(data12 === "s3")){
const err19 = {instancePath:instancePath+"/object_storage/type",schemaPath:"#/properties/object_storage/properties/type/enum",keyword:"enum",params:{allowedValues: schema122.properties.object_storage.properties.type.enum}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data11.bucket !== undefined){
if(typeof data11.bucket !== "string"){
const err20 = {instancePath:instancePath+"/object_storage/bucket",schemaPath:"#/properties/object_storage/properties/bucket/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data11.region !== undefined){
if(typeof data11.region !== "string"){
const err21 = {instancePath:instancePath+"/object_storage/region",schemaPath:"#/properties/object_storage/properties/region/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data11.prefix !== undefined){
if(typeof data11.prefix !== "string"){
const err22 = {instancePath:instancePath+"/object_storage/prefix",schemaPath:"#/properties/object_storage/properties/prefix/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data11.endpoint !== undefined){
if(typeof data11.endpoint !== "string"){
const err23 = {instancePath:instancePath+"/object_storage/endpoint",schemaPath:"#/properties/object_storage/properties/endpoint/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data11.force_path_style !== undefined){
if(typeof data11.force_path_style !== "boolean"){
const err24 = {instancePath:instancePath+"/object_storage/force_path_style",schemaPath:"#/properties/object_storage/properties/force_path_style/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data11.access_key_id !== undefined){
if(typeof data11.access_key_id !== "string"){
const err25 = {instancePath:instancePath+"/object_storage/access_key_id",schemaPath:"#/properties/object_storage/properties/access_key_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data11.secret_access_key !== undefined){
if(typeof data11.secret_access_key !== "string"){
const err26 = {instancePath:instancePath+"/object_storage/secret_access_key",schemaPath:"#/properties/object_storage/properties/secret_access_key/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data11.concurrency_limit !== undefined){
let data20 = data11.concurrency_limit;
if(!((typeof data20 == "number") && (isFinite(data20)))){
const err27 = {instancePath:instancePath+"/object_storage/concurrency_limit",schemaPath:"#/properties/object_storage/properties/concurrency_limit/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data11.inline_threshold_bytes !== undefined){
let data21 = data11.inline_threshold_bytes;
if(!((typeof data21 == "number") && (isFinite(data21)))){
const err28 = {instancePath:instancePath+"/object_storage/inline_threshold_bytes",schemaPath:"#/properties/object_storage/properties/inline_threshold_bytes/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/object_storage",schemaPath:"#/properties/object_storage/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema130 = {"additionalProperties":false,"properties":{"type":{"const":"embedded"},"max_pool_size":{"$ref":"#/$defs/maxPoolSize"},"default_storage_version":{"$ref":"#/$defs/defaultStorageVersion"},"path":{"type":"string"}}};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((key0 === "type") || (key0 === "max_pool_size")) || (key0 === "default_storage_version")) || (key0 === "path"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.type !== undefined){
if("embedded" !== data.type){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "embedded"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.max_pool_size !== undefined){
let data1 = data.max_pool_size;
if(!((typeof data1 == "number") && (isFinite(data1)))){
const err2 = {instancePath:instancePath+"/max_pool_size",schemaPath:"#/$defs/maxPoolSize/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.default_storage_version !== undefined){
let data2 = data.default_storage_version;
if(!((typeof data2 == "number") && (isFinite(data2)))){
const err3 = {instancePath:instancePath+"/default_storage_version",schemaPath:"#/$defs/defaultStorageVersion/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((data2 === 2) || (data2 === 3))){
const err4 = {instancePath:instancePath+"/default_storage_version",schemaPath:"#/$defs/defaultStorageVersion/enum",keyword:"enum",params:{allowedValues: schema105.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.path !== undefined){
if(typeof data.path !== "string"){
const err5 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const tag0 = data.type;
if(typeof tag0 == "string"){
if(tag0 === "postgresql"){
if(!(validate36(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
var props0 = true;
}
else if(tag0 === "mongodb"){
if(!(validate37(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "embedded"){
if(!(validate38(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else {
const err1 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate35.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate35.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema136 = {"type":"object","additionalProperties":false,"properties":{"jwks_uri":{"type":["string","array"],"items":{"type":"string"}},"jwks":{"type":"object","additionalProperties":false,"required":["keys"],"properties":{"keys":{"type":"array","items":{"$ref":"#/$defs/jwk"}}}},"jwks_reject_ip_ranges":{"type":"array","items":{"type":"string"}},"block_local_jwks":{"type":"boolean"},"allow_local_jwks":{},"supabase":{"type":"boolean"},"supabase_jwt_secret":{"type":"string"},"audience":{"type":"array","items":{"type":"string"}}}};
const schema137 = {"type":"object","required":["kty"],"discriminator":{"propertyName":"kty"},"oneOf":[{"$ref":"#/$defs/rsaKey"},{"$ref":"#/$defs/octKey"},{"$ref":"#/$defs/okpKey"},{"$ref":"#/$defs/ecKey"}]};
const schema138 = {"required":["kid","n","e"],"properties":{"kty":{"const":"RSA"},"kid":{"type":"string"},"n":{"type":"string"},"e":{"type":"string"},"alg":{"type":"string","enum":["RS256","RS384","RS512"]},"use":{"$ref":"#/$defs/use"},"d":{"$ref":"#/$defs/privateMember"}}};
const schema139 = {"type":"string"};
const schema140 = {"type":"string"};

function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate45.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kid === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.n === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "n"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.e === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "e"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.kty !== undefined){
if("RSA" !== data.kty){
const err3 = {instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/const",keyword:"const",params:{allowedValue: "RSA"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.kid !== undefined){
if(typeof data.kid !== "string"){
const err4 = {instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.n !== undefined){
if(typeof data.n !== "string"){
const err5 = {instancePath:instancePath+"/n",schemaPath:"#/properties/n/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.e !== undefined){
if(typeof data.e !== "string"){
const err6 = {instancePath:instancePath+"/e",schemaPath:"#/properties/e/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.alg !== undefined){
let data4 = data.alg;
if(typeof data4 !== "string"){
const err7 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((data4 === "RS256") || (data4 === "RS384")) || (data4 === "RS512"))){
const err8 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/enum",keyword:"enum",params:{allowedValues: schema138.properties.alg.enum}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.use !== undefined){
if(typeof data.use !== "string"){
const err9 = {instancePath:instancePath+"/use",schemaPath:"#/$defs/use/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.d !== undefined){
if(typeof data.d !== "string"){
const err10 = {instancePath:instancePath+"/d",schemaPath:"#/$defs/privateMember/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
validate45.errors = vErrors;
return errors === 0;
}
validate45.evaluated = {"props":{"kty":true,"kid":true,"n":true,"e":true,"alg":true,"use":true,"d":true},"dynamicProps":false,"dynamicItems":false};

const schema141 = {"required":["k","alg"],"properties":{"kty":{"const":"oct"},"kid":{"$ref":"#/$defs/kid"},"k":{"type":"string"},"alg":{"type":"string","enum":["HS256","HS384","HS512"]},"use":{"$ref":"#/$defs/use"}}};
const schema142 = {"type":"string"};

function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate46.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.k === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "k"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.alg === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.kty !== undefined){
if("oct" !== data.kty){
const err2 = {instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/const",keyword:"const",params:{allowedValue: "oct"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.kid !== undefined){
if(typeof data.kid !== "string"){
const err3 = {instancePath:instancePath+"/kid",schemaPath:"#/$defs/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.k !== undefined){
if(typeof data.k !== "string"){
const err4 = {instancePath:instancePath+"/k",schemaPath:"#/properties/k/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.alg !== undefined){
let data3 = data.alg;
if(typeof data3 !== "string"){
const err5 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((data3 === "HS256") || (data3 === "HS384")) || (data3 === "HS512"))){
const err6 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/enum",keyword:"enum",params:{allowedValues: schema141.properties.alg.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.use !== undefined){
if(typeof data.use !== "string"){
const err7 = {instancePath:instancePath+"/use",schemaPath:"#/$defs/use/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
validate46.errors = vErrors;
return errors === 0;
}
validate46.evaluated = {"props":{"kty":true,"kid":true,"k":true,"alg":true,"use":true},"dynamicProps":false,"dynamicItems":false};

const schema144 = {"required":["crv","x","alg"],"properties":{"kty":{"const":"OKP"},"kid":{"$ref":"#/$defs/kid"},"crv":{"type":"string","enum":["Ed25519","Ed448"]},"x":{"type":"string"},"alg":{"type":"string","enum":["EdDSA"]},"use":{"$ref":"#/$defs/use"},"d":{"$ref":"#/$defs/privateMember"}}};

function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate47.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.crv === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "crv"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.x === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "x"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.alg === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.kty !== undefined){
if("OKP" !== data.kty){
const err3 = {instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/const",keyword:"const",params:{allowedValue: "OKP"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.kid !== undefined){
if(typeof data.kid !== "string"){
const err4 = {instancePath:instancePath+"/kid",schemaPath:"#/$defs/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.crv !== undefined){
let data2 = data.crv;
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/crv",schemaPath:"#/properties/crv/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((data2 === "Ed25519") || (data2 === "Ed448"))){
const err6 = {instancePath:instancePath+"/crv",schemaPath:"#/properties/crv/enum",keyword:"enum",params:{allowedValues: schema144.properties.crv.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.x !== undefined){
if(typeof data.x !== "string"){
const err7 = {instancePath:instancePath+"/x",schemaPath:"#/properties/x/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.alg !== undefined){
let data4 = data.alg;
if(typeof data4 !== "string"){
const err8 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(data4 === "EdDSA")){
const err9 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/enum",keyword:"enum",params:{allowedValues: schema144.properties.alg.enum}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.use !== undefined){
if(typeof data.use !== "string"){
const err10 = {instancePath:instancePath+"/use",schemaPath:"#/$defs/use/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.d !== undefined){
if(typeof data.d !== "string"){
const err11 = {instancePath:instancePath+"/d",schemaPath:"#/$defs/privateMember/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
validate47.errors = vErrors;
return errors === 0;
}
validate47.evaluated = {"props":{"kty":true,"kid":true,"crv":true,"x":true,"alg":true,"use":true,"d":true},"dynamicProps":false,"dynamicItems":false};

const schema148 = {"required":["crv","x","y","alg"],"properties":{"kty":{"const":"EC"},"kid":{"$ref":"#/$defs/kid"},"crv":{"type":"string","enum":["P-256","P-384","P-521"]},"x":{"type":"string"},"y":{"type":"string"},"alg":{"type":"string","enum":["ES256","ES384","ES512"]},"use":{"$ref":"#/$defs/use"},"d":{"$ref":"#/$defs/privateMember"}}};

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate48.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.crv === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "crv"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.x === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "x"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.y === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "y"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.alg === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.kty !== undefined){
if("EC" !== data.kty){
const err4 = {instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/const",keyword:"const",params:{allowedValue: "EC"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.kid !== undefined){
if(typeof data.kid !== "string"){
const err5 = {instancePath:instancePath+"/kid",schemaPath:"#/$defs/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.crv !== undefined){
let data2 = data.crv;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/crv",schemaPath:"#/properties/crv/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(((data2 === "P-256") || (data2 === "P-384")) || (data2 === "P-521"))){
const err7 = {instancePath:instancePath+"/crv",schemaPath:"#/properties/crv/enum",keyword:"enum",params:{allowedValues: schema148.properties.crv.enum}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.x !== undefined){
if(typeof data.x !== "string"){
const err8 = {instancePath:instancePath+"/x",schemaPath:"#/properties/x/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.y !== undefined){
if(typeof data.y !== "string"){
const err9 = {instancePath:instancePath+"/y",schemaPath:"#/properties/y/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.alg !== undefined){
let data5 = data.alg;
if(typeof data5 !== "string"){
const err10 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!(((data5 === "ES256") || (data5 === "ES384")) || (data5 === "ES512"))){
const err11 = {instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/enum",keyword:"enum",params:{allowedValues: schema148.properties.alg.enum}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.use !== undefined){
if(typeof data.use !== "string"){
const err12 = {instancePath:instancePath+"/use",schemaPath:"#/$defs/use/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.d !== undefined){
if(typeof data.d !== "string"){
const err13 = {instancePath:instancePath+"/d",schemaPath:"#/$defs/privateMember/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
validate48.errors = vErrors;
return errors === 0;
}
validate48.evaluated = {"props":{"kty":true,"kid":true,"crv":true,"x":true,"y":true,"alg":true,"use":true,"d":true},"dynamicProps":false,"dynamicItems":false};


function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate44.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kty === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kty"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const tag0 = data.kty;
if(typeof tag0 == "string"){
if(tag0 === "RSA"){
if(!(validate45(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate45.errors : vErrors.concat(validate45.errors);
errors = vErrors.length;
}
var props0 = {};
props0.kty = true;
props0.kid = true;
props0.n = true;
props0.e = true;
props0.alg = true;
props0.use = true;
props0.d = true;
}
else if(tag0 === "oct"){
if(!(validate46(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate46.errors : vErrors.concat(validate46.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.kty = true;
props0.kid = true;
props0.k = true;
props0.alg = true;
props0.use = true;
}
}
else if(tag0 === "OKP"){
if(!(validate47(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate47.errors : vErrors.concat(validate47.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.kty = true;
props0.kid = true;
props0.crv = true;
props0.x = true;
props0.alg = true;
props0.use = true;
props0.d = true;
}
}
else if(tag0 === "EC"){
if(!(validate48(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.kty = true;
props0.kid = true;
props0.crv = true;
props0.x = true;
props0.y = true;
props0.alg = true;
props0.use = true;
props0.d = true;
}
}
else {
const err1 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kty", tagValue: tag0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kty", tagValue: tag0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate44.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate44.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate43.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((((key0 === "jwks_uri") || (key0 === "jwks")) || (key0 === "jwks_reject_ip_ranges")) || (key0 === "block_local_jwks")) || (key0 === "allow_local_jwks")) || (key0 === "supabase")) || (key0 === "supabase_jwt_secret")) || (key0 === "audience"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.jwks_uri !== undefined){
let data0 = data.jwks_uri;
if((typeof data0 !== "string") && (!(Array.isArray(data0)))){
const err1 = {instancePath:instancePath+"/jwks_uri",schemaPath:"#/properties/jwks_uri/type",keyword:"type",params:{type: schema136.properties.jwks_uri.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(typeof data0[i0] !== "string"){
const err2 = {instancePath:instancePath+"/jwks_uri/" + i0,schemaPath:"#/properties/jwks_uri/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
if(data.jwks !== undefined){
let data2 = data.jwks;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.keys === undefined){
const err3 = {instancePath:instancePath+"/jwks",schemaPath:"#/properties/jwks/required",keyword:"required",params:{missingProperty: "keys"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key1 in data2){
if(!(key1 === "keys")){
const err4 = {instancePath:instancePath+"/jwks",schemaPath:"#/properties/jwks/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data2.keys !== undefined){
let data3 = data2.keys;
if(Array.isArray(data3)){
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
if(!(validate44(data3[i1], {instancePath:instancePath+"/jwks/keys/" + i1,parentData:data3,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate44.errors : vErrors.concat(validate44.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/jwks/keys",schemaPath:"#/properties/jwks/properties/keys/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/jwks",schemaPath:"#/properties/jwks/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.jwks_reject_ip_ranges !== undefined){
let data5 = data.jwks_reject_ip_ranges;
if(Array.isArray(data5)){
const len2 = data5.length;
for(let i2=0; i2<len2; i2++){
if(typeof data5[i2] !== "string"){
const err7 = {instancePath:instancePath+"/jwks_reject_ip_ranges/" + i2,schemaPath:"#/properties/jwks_reject_ip_ranges/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/jwks_reject_ip_ranges",schemaPath:"#/properties/jwks_reject_ip_ranges/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.block_local_jwks !== undefined){
if(typeof data.block_local_jwks !== "boolean"){
const err9 = {instancePath:instancePath+"/block_local_jwks",schemaPath:"#/properties/block_local_jwks/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.supabase !== undefined){
if(typeof data.supabase !== "boolean"){
const err10 = {instancePath:instancePath+"/supabase",schemaPath:"#/properties/supabase/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.supabase_jwt_secret !== undefined){
if(typeof data.supabase_jwt_secret !== "string"){
const err11 = {instancePath:instancePath+"/supabase_jwt_secret",schemaPath:"#/properties/supabase_jwt_secret/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.audience !== undefined){
let data10 = data.audience;
if(Array.isArray(data10)){
const len3 = data10.length;
for(let i3=0; i3<len3; i3++){
if(typeof data10[i3] !== "string"){
const err12 = {instancePath:instancePath+"/audience/" + i3,schemaPath:"#/properties/audience/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/audience",schemaPath:"#/properties/audience/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}
validate43.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="service.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func1.call(schema31.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data._type !== undefined){
let data0 = data._type;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/_type",schemaPath:"#/properties/_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!((data0 === "self-hosted") || (data0 === "cloud"))){
const err2 = {instancePath:instancePath+"/_type",schemaPath:"#/properties/_type/enum",keyword:"enum",params:{allowedValues: schema31.properties._type.enum}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.replication !== undefined){
let data1 = data.replication;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key1 in data1){
if(!(key1 === "connections")){
const err3 = {instancePath:instancePath+"/replication",schemaPath:"#/properties/replication/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data1.connections !== undefined){
let data2 = data1.connections;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(validate21(data2[i0], {instancePath:instancePath+"/replication/connections/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/replication/connections",schemaPath:"#/properties/replication/properties/connections/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath:instancePath+"/replication",schemaPath:"#/properties/replication/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.storage !== undefined){
if(!(validate35(data.storage, {instancePath:instancePath+"/storage",parentData:data,parentDataProperty:"storage",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
errors = vErrors.length;
}
}
if(data.port !== undefined){
let data5 = data.port;
if((!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))) && (typeof data5 !== "string")){
const err6 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/listeningPort/type",keyword:"type",params:{type: schema133.type}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 65535 || isNaN(data5)){
const err7 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/listeningPort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data5 < 0 || isNaN(data5)){
const err8 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/listeningPort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
const err9 = {instancePath:instancePath+"/port",schemaPath:"#/$defs/listeningPort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
if(data.host !== undefined){
if(typeof data.host !== "string"){
const err10 = {instancePath:instancePath+"/host",schemaPath:"#/properties/host/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.sync_config !== undefined){
let data7 = data.sync_config;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key2 in data7){
if(!(((key2 === "path") || (key2 === "content")) || (key2 === "exit_on_error"))){
const err11 = {instancePath:instancePath+"/sync_config",schemaPath:"#/$defs/syncConfig/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data7.path !== undefined){
if(typeof data7.path !== "string"){
const err12 = {instancePath:instancePath+"/sync_config/path",schemaPath:"#/$defs/syncConfig/properties/path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data7.content !== undefined){
if(typeof data7.content !== "string"){
const err13 = {instancePath:instancePath+"/sync_config/content",schemaPath:"#/$defs/syncConfig/properties/content/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data7.exit_on_error !== undefined){
if(typeof data7.exit_on_error !== "boolean"){
const err14 = {instancePath:instancePath+"/sync_config/exit_on_error",schemaPath:"#/$defs/syncConfig/properties/exit_on_error/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/sync_config",schemaPath:"#/$defs/syncConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.sync_rules !== undefined){
let data11 = data.sync_rules;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key3 in data11){
if(!(((key3 === "path") || (key3 === "content")) || (key3 === "exit_on_error"))){
const err16 = {instancePath:instancePath+"/sync_rules",schemaPath:"#/$defs/syncConfig/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data11.path !== undefined){
if(typeof data11.path !== "string"){
const err17 = {instancePath:instancePath+"/sync_rules/path",schemaPath:"#/$defs/syncConfig/properties/path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data11.content !== undefined){
if(typeof data11.content !== "string"){
const err18 = {instancePath:instancePath+"/sync_rules/content",schemaPath:"#/$defs/syncConfig/properties/content/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data11.exit_on_error !== undefined){
if(typeof data11.exit_on_error !== "boolean"){
const err19 = {instancePath:instancePath+"/sync_rules/exit_on_error",schemaPath:"#/$defs/syncConfig/properties/exit_on_error/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/sync_rules",schemaPath:"#/$defs/syncConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.client_auth !== undefined){
if(!(validate43(data.client_auth, {instancePath:instancePath+"/client_auth",parentData:data,parentDataProperty:"client_auth",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
if(data.api !== undefined){
let data16 = data.api;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key4 in data16){
if(!((key4 === "tokens") || (key4 === "parameters"))){
const err21 = {instancePath:instancePath+"/api",schemaPath:"#/$defs/api/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data16.tokens !== undefined){
let data17 = data16.tokens;
if(Array.isArray(data17)){
const len1 = data17.length;
for(let i1=0; i1<len1; i1++){
if(typeof data17[i1] !== "string"){
const err22 = {instancePath:instancePath+"/api/tokens/" + i1,schemaPath:"#/$defs/api/properties/tokens/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/api/tokens",schemaPath:"#/$defs/api/properties/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data16.parameters !== undefined){
let data19 = data16.parameters;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
for(const key5 in data19){
if(!((((((key5 === "max_concurrent_connections") || (key5 === "max_data_fetch_concurrency")) || (key5 === "max_buckets_per_connection")) || (key5 === "max_parameter_query_results")) || (key5 === "checkpoint_request_retention_minutes")) || (key5 === "bucket_count_cache_ttl_minutes"))){
const err24 = {instancePath:instancePath+"/api/parameters",schemaPath:"#/$defs/api/properties/parameters/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data19.max_concurrent_connections !== undefined){
let data20 = data19.max_concurrent_connections;
if(!((typeof data20 == "number") && (isFinite(data20)))){
const err25 = {instancePath:instancePath+"/api/parameters/max_concurrent_connections",schemaPath:"#/$defs/api/properties/parameters/properties/max_concurrent_connections/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data19.max_data_fetch_concurrency !== undefined){
let data21 = data19.max_data_fetch_concurrency;
if(!((typeof data21 == "number") && (isFinite(data21)))){
const err26 = {instancePath:instancePath+"/api/parameters/max_data_fetch_concurrency",schemaPath:"#/$defs/api/properties/parameters/properties/max_data_fetch_concurrency/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data19.max_buckets_per_connection !== undefined){
let data22 = data19.max_buckets_per_connection;
if(!((typeof data22 == "number") && (isFinite(data22)))){
const err27 = {instancePath:instancePath+"/api/parameters/max_buckets_per_connection",schemaPath:"#/$defs/api/properties/parameters/properties/max_buckets_per_connection/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data19.max_parameter_query_results !== undefined){
let data23 = data19.max_parameter_query_results;
if(!((typeof data23 == "number") && (isFinite(data23)))){
const err28 = {instancePath:instancePath+"/api/parameters/max_parameter_query_results",schemaPath:"#/$defs/api/properties/parameters/properties/max_parameter_query_results/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data19.checkpoint_request_retention_minutes !== undefined){
let data24 = data19.checkpoint_request_retention_minutes;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
const err29 = {instancePath:instancePath+"/api/parameters/checkpoint_request_retention_minutes",schemaPath:"#/$defs/api/properties/parameters/properties/checkpoint_request_retention_minutes/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 1 || isNaN(data24)){
const err30 = {instancePath:instancePath+"/api/parameters/checkpoint_request_retention_minutes",schemaPath:"#/$defs/api/properties/parameters/properties/checkpoint_request_retention_minutes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data19.bucket_count_cache_ttl_minutes !== undefined){
let data25 = data19.bucket_count_cache_ttl_minutes;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
const err31 = {instancePath:instancePath+"/api/parameters/bucket_count_cache_ttl_minutes",schemaPath:"#/$defs/api/properties/parameters/properties/bucket_count_cache_ttl_minutes/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 1 || isNaN(data25)){
const err32 = {instancePath:instancePath+"/api/parameters/bucket_count_cache_ttl_minutes",schemaPath:"#/$defs/api/properties/parameters/properties/bucket_count_cache_ttl_minutes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
}
else {
const err33 = {instancePath:instancePath+"/api/parameters",schemaPath:"#/$defs/api/properties/parameters/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/api",schemaPath:"#/$defs/api/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.healthcheck !== undefined){
let data26 = data.healthcheck;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
for(const key6 in data26){
if(!(key6 === "probes")){
const err35 = {instancePath:instancePath+"/healthcheck",schemaPath:"#/properties/healthcheck/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data26.probes !== undefined){
let data27 = data26.probes;
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
for(const key7 in data27){
if(!(((key7 === "use_filesystem") || (key7 === "use_http")) || (key7 === "use_legacy"))){
const err36 = {instancePath:instancePath+"/healthcheck/probes",schemaPath:"#/properties/healthcheck/properties/probes/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data27.use_filesystem !== undefined){
if(typeof data27.use_filesystem !== "boolean"){
const err37 = {instancePath:instancePath+"/healthcheck/probes/use_filesystem",schemaPath:"#/properties/healthcheck/properties/probes/properties/use_filesystem/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data27.use_http !== undefined){
if(typeof data27.use_http !== "boolean"){
const err38 = {instancePath:instancePath+"/healthcheck/probes/use_http",schemaPath:"#/properties/healthcheck/properties/probes/properties/use_http/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data27.use_legacy !== undefined){
if(typeof data27.use_legacy !== "boolean"){
const err39 = {instancePath:instancePath+"/healthcheck/probes/use_legacy",schemaPath:"#/properties/healthcheck/properties/probes/properties/use_legacy/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath:instancePath+"/healthcheck/probes",schemaPath:"#/properties/healthcheck/properties/probes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/healthcheck",schemaPath:"#/properties/healthcheck/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.telemetry !== undefined){
let data31 = data.telemetry;
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if(data31.disable_telemetry_sharing === undefined){
const err42 = {instancePath:instancePath+"/telemetry",schemaPath:"#/properties/telemetry/required",keyword:"required",params:{missingProperty: "disable_telemetry_sharing"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
for(const key8 in data31){
if(!(((key8 === "prometheus_port") || (key8 === "disable_telemetry_sharing")) || (key8 === "internal_service_endpoint"))){
const err43 = {instancePath:instancePath+"/telemetry",schemaPath:"#/properties/telemetry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data31.prometheus_port !== undefined){
let data32 = data31.prometheus_port;
if((!(((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32))) && (isFinite(data32)))) && (typeof data32 !== "string")){
const err44 = {instancePath:instancePath+"/telemetry/prometheus_port",schemaPath:"#/$defs/listeningPort/type",keyword:"type",params:{type: schema133.type}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 > 65535 || isNaN(data32)){
const err45 = {instancePath:instancePath+"/telemetry/prometheus_port",schemaPath:"#/$defs/listeningPort/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data32 < 0 || isNaN(data32)){
const err46 = {instancePath:instancePath+"/telemetry/prometheus_port",schemaPath:"#/$defs/listeningPort/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(typeof data32 === "string"){
if(!pattern4.test(data32)){
const err47 = {instancePath:instancePath+"/telemetry/prometheus_port",schemaPath:"#/$defs/listeningPort/pattern",keyword:"pattern",params:{pattern: "^[0-9]+$"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
if(data31.disable_telemetry_sharing !== undefined){
if(typeof data31.disable_telemetry_sharing !== "boolean"){
const err48 = {instancePath:instancePath+"/telemetry/disable_telemetry_sharing",schemaPath:"#/properties/telemetry/properties/disable_telemetry_sharing/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data31.internal_service_endpoint !== undefined){
if(typeof data31.internal_service_endpoint !== "string"){
const err49 = {instancePath:instancePath+"/telemetry/internal_service_endpoint",schemaPath:"#/properties/telemetry/properties/internal_service_endpoint/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
else {
const err50 = {instancePath:instancePath+"/telemetry",schemaPath:"#/properties/telemetry/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data.migrations !== undefined){
let data35 = data.migrations;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
for(const key9 in data35){
if(!(key9 === "disable_auto_migration")){
const err51 = {instancePath:instancePath+"/migrations",schemaPath:"#/properties/migrations/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data35.disable_auto_migration !== undefined){
if(typeof data35.disable_auto_migration !== "boolean"){
const err52 = {instancePath:instancePath+"/migrations/disable_auto_migration",schemaPath:"#/properties/migrations/properties/disable_auto_migration/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
else {
const err53 = {instancePath:instancePath+"/migrations",schemaPath:"#/properties/migrations/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data.verification !== undefined){
let data37 = data.verification;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
for(const key10 in data37){
if(!(key10 === "percent_of_time")){
const err54 = {instancePath:instancePath+"/verification",schemaPath:"#/properties/verification/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data37.percent_of_time !== undefined){
let data38 = data37.percent_of_time;
if((typeof data38 == "number") && (isFinite(data38))){
if(data38 > 100 || isNaN(data38)){
const err55 = {instancePath:instancePath+"/verification/percent_of_time",schemaPath:"#/properties/verification/properties/percent_of_time/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data38 < 0 || isNaN(data38)){
const err56 = {instancePath:instancePath+"/verification/percent_of_time",schemaPath:"#/properties/verification/properties/percent_of_time/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/verification/percent_of_time",schemaPath:"#/properties/verification/properties/percent_of_time/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/verification",schemaPath:"#/properties/verification/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data.system !== undefined){
let data39 = data.system;
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
for(const key11 in data39){
if(!(key11 === "logging")){
const err59 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data39.logging !== undefined){
let data40 = data39.logging;
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
for(const key12 in data40){
if(!((key12 === "level") || (key12 === "format"))){
const err60 = {instancePath:instancePath+"/system/logging",schemaPath:"#/properties/system/properties/logging/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data40.level !== undefined){
let data41 = data40.level;
if(typeof data41 !== "string"){
const err61 = {instancePath:instancePath+"/system/logging/level",schemaPath:"#/properties/system/properties/logging/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(!(((((((data41 === "silly") || (data41 === "debug")) || (data41 === "verbose")) || (data41 === "http")) || (data41 === "info")) || (data41 === "warn")) || (data41 === "error"))){
const err62 = {instancePath:instancePath+"/system/logging/level",schemaPath:"#/properties/system/properties/logging/properties/level/enum",keyword:"enum",params:{allowedValues: schema31.properties.system.properties.logging.properties.level.enum}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data40.format !== undefined){
let data42 = data40.format;
if(typeof data42 !== "string"){
const err63 = {instancePath:instancePath+"/system/logging/format",schemaPath:"#/properties/system/properties/logging/properties/format/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(!((data42 === "json") || (data42 === "text"))){
const err64 = {instancePath:instancePath+"/system/logging/format",schemaPath:"#/properties/system/properties/logging/properties/format/enum",keyword:"enum",params:{allowedValues: schema31.properties.system.properties.logging.properties.format.enum}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
else {
const err65 = {instancePath:instancePath+"/system/logging",schemaPath:"#/properties/system/properties/logging/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
}
else {
const err66 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data.metadata !== undefined){
let data43 = data.metadata;
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
for(const key13 in data43){
if(typeof data43[key13] !== "string"){
const err67 = {instancePath:instancePath+"/metadata/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/metadata/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
else {
const err68 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data.parameters !== undefined){
let data45 = data.parameters;
if(data45 && typeof data45 == "object" && !Array.isArray(data45)){
for(const key14 in data45){
let data46 = data45[key14];
if((((!((typeof data46 == "number") && (isFinite(data46)))) && (typeof data46 !== "string")) && (typeof data46 !== "boolean")) && (data46 !== null)){
const err69 = {instancePath:instancePath+"/parameters/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/parameters/additionalProperties/type",keyword:"type",params:{type: schema31.properties.parameters.additionalProperties.type}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
}
else {
const err70 = {instancePath:instancePath+"/parameters",schemaPath:"#/properties/parameters/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
else {
const err71 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
