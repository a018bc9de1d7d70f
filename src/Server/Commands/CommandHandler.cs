namespace RedisLatency.Server.Commands;

/// <summary>Executes a command and writes its reply.</summary>
internal delegate void CommandHandler(CommandCall call);
