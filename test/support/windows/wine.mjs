/**
 * Goes before each program that Node runs in Wine 8: that does not know how long an idle connection is to wait before it is
 * tested (TCP_KEEPIDLE), and Node makes no connection for which it cannot set this.
 */
process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0;
