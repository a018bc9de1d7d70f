using System.Globalization;
using System.Runtime.InteropServices;

namespace RedisLatency.Server.Commands;

/// <summary>The text of INFO: sections of <c>name:value</c> lines, with Redis's names.</summary>
internal static class ServerInformation
{
    private static readonly (string Title, Func<ServerState, IEnumerable<(string Name, object Value)>> Lines)[]
        Sections =
    [
        ("Server", Server), ("Clients", Clients), ("Memory", Memory), ("Stats", Statistics),
        ("Replication", Replication), ("CPU", ProcessorTimes), ("Keyspace", Keyspace),
    ];

    public static string Write(CommandCall call)
    {
        var asked = Enumerable.Range(1, call.Count - 1).Select(call.Text).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var isAll = asked.Count == 0 || asked.Overlaps(["all", "default", "everything"]);
        var texts = Sections.Where(section => isAll || asked.Contains(section.Title)).Select(section =>
            $"# {section.Title}\r\n" + string.Concat(section.Lines(call.Server).Select(
                line => string.Create(CultureInfo.InvariantCulture, $"{line.Name}:{line.Value}\r\n"))));
        return string.Join("\r\n", texts);
    }

    private static IEnumerable<(string Name, object Value)> Server(ServerState server)
    {
        var seconds = (server.Clock.Milliseconds - server.StartedAt) / 1000;
        return
        [
            ("redis_version", ServerCommands.Version), ("server_name", "redislatency-inprocess"),
            ("redis_mode", "standalone"), ("os", RuntimeInformation.OSDescription), ("arch_bits", 64),
            ("multiplexing_api", server.PollerName), ("process_id", Environment.ProcessId), ("tcp_port", server.Port),
            ("server_time_usec", server.Clock.Microseconds), ("uptime_in_seconds", seconds),
            ("uptime_in_days", seconds / 86_400),
        ];
    }

    private static IEnumerable<(string Name, object Value)> Clients(ServerState server) =>
    [
        ("connected_clients", server.ClientCount),
        ("pubsub_clients", server.Clients.Count(client => client?.Channels.Count > 0)),
    ];

    private static IEnumerable<(string Name, object Value)> Memory(ServerState server) =>
    [
        ("used_memory", GC.GetTotalMemory(forceFullCollection: false)), ("used_memory_rss", Environment.WorkingSet),
        ("maxmemory", 0), ("maxmemory_policy", "noeviction"),
    ];

    private static IEnumerable<(string Name, object Value)> Statistics(ServerState server) =>
    [
        ("total_connections_received", server.Statistics.ConnectionsAccepted),
        ("total_commands_processed", server.Statistics.CommandsProcessed),
        ("total_net_input_bytes", server.Statistics.BytesReceived),
        ("expired_keys", server.Database.Expired),
        ("keyspace_hits", server.Statistics.KeyspaceHits),
        ("keyspace_misses", server.Statistics.KeyspaceMisses),
        ("pubsub_channels", server.Messages.Channels.Count),
        ("client_output_buffer_limit_disconnections", server.Statistics.SubscribersDropped),
    ];

    private static IEnumerable<(string Name, object Value)> Replication(ServerState server) =>
        [("role", "master"), ("connected_slaves", 0), ("master_repl_offset", 0)];

    private static IEnumerable<(string Name, object Value)> ProcessorTimes(ServerState server)
    {
        var (user, kernel) = ThreadTimes.Read();
        var (userText, kernelText) = (user.ToString("F6", CultureInfo.InvariantCulture),
            kernel.ToString("F6", CultureInfo.InvariantCulture));
        return
        [
            ("used_cpu_sys", kernelText), ("used_cpu_user", userText),
            ("used_cpu_sys_main_thread", kernelText), ("used_cpu_user_main_thread", userText),
        ];
    }

    private static IEnumerable<(string Name, object Value)> Keyspace(ServerState server) => server.Database.Count > 0
        ? [("db0", $"keys={server.Database.Count},expires={server.Database.ExpiringCount},avg_ttl=0")]
        : [];
}

internal static class ServerCommands
{
    /// <summary>The version of Redis whose replies these are.</summary>
    public const string Version = "7.0.15";

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("info", -1, static call => call.Verbatim(ServerInformation.Write(call))),
        new("cluster", -2, static call => call.Error("ERR This instance has cluster support disabled")),
    ];
}
