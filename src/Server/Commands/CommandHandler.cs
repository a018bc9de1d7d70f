namespace RedisLatency.Server.Commands;

internal delegate void CommandHandler(CommandCall call);
