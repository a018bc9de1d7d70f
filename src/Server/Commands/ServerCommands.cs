using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace RedisLatency.Server.Commands;

/// <summary>The text of INFO: sections of <c>name:value</c> lines, with Redis's names.</summary>
internal sealed class ServerInformation
{
    private static readonly string[] AllSections =
        ["server", "clients", "memory", "stats", "replication", "cpu", "keyspace"];

    private readonly StringBuilder _text = new();
    private readonly CommandCall _call;

    private ServerInformation(CommandCall call) => _call = call;

    public static string Write(CommandCall call)
    {
        var asked = Enumerable.Range(1, call.Count - 1).Select(call.Text).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var isAll = asked.Count == 0 || asked.Overlaps(["all", "default", "everything"]);
        var information = new ServerInformation(call);
        foreach (var section in AllSections)
        {
            if (isAll || asked.Contains(section))
                information.Write(section);
        }

        return information._text.ToString();
    }

    private void Write(string section)
    {
        if (_text.Length > 0)
            _text.Append("\r\n");
        var title = section == "cpu" ? "CPU" : char.ToUpperInvariant(section[0]) + section[1..];
        _text.Append("# ").Append(title).Append("\r\n");
        switch (section)
        {
            case "server":
                WriteServer();
                break;
            case "clients":
                WriteClients();
                break;
            case "memory":
                WriteMemory();
                break;
            case "stats":
                WriteStatistics();
                break;
            case "replication":
                Line("role", "master");
                Line("connected_slaves", 0);
                Line("master_repl_offset", 0);
                break;
            case "cpu":
                WriteProcessorTimes();
                break;
            case "keyspace":
                WriteKeyspace();
                break;
        }
    }

    private void WriteServer()
    {
        var server = _call.Server;
        var seconds = (server.Clock.Milliseconds - server.StartedAt) / 1000;
        Line("redis_version", ServerCommands.Version);
        Line("server_name", "redislatency-inprocess");
        Line("redis_mode", "standalone");
        Line("os", RuntimeInformation.OSDescription);
        Line("arch_bits", 64);
        Line("multiplexing_api", server.PollerName);
        Line("process_id", Environment.ProcessId);
        Line("tcp_port", server.Port);
        Line("server_time_usec", server.Clock.Microseconds);
        Line("uptime_in_seconds", seconds);
        Line("uptime_in_days", seconds / 86_400);
    }

    private void WriteClients()
    {
        Line("connected_clients", _call.Server.ClientCount);
        Line("pubsub_clients", _call.Server.Clients.Count(client => client?.Subscriptions.Count > 0));
    }

    private void WriteMemory()
    {
        Line("used_memory", GC.GetTotalMemory(forceFullCollection: false));
        Line("used_memory_rss", Environment.WorkingSet);
        Line("maxmemory", 0);
        Line("maxmemory_policy", "noeviction");
    }

    private void WriteStatistics()
    {
        var statistics = _call.Server.Statistics;
        var messages = _call.Server.Messages;
        Line("total_connections_received", statistics.ConnectionsAccepted);
        Line("total_commands_processed", statistics.CommandsProcessed);
        Line("total_net_input_bytes", statistics.BytesReceived);
        Line("expired_keys", _call.Server.Databases.Sum(database => database.Expired));
        Line("keyspace_hits", statistics.KeyspaceHits);
        Line("keyspace_misses", statistics.KeyspaceMisses);
        Line("pubsub_channels", messages.Channels.Count);
        Line("pubsub_patterns", messages.Patterns.Count);
        Line("pubsubshard_channels", messages.ShardChannels.Count);
        Line("client_output_buffer_limit_disconnections", statistics.SubscribersDropped);
    }

    private void WriteProcessorTimes()
    {
        var (user, kernel) = ThreadTimes.Read();
        Line("used_cpu_sys", kernel.ToString("F6", CultureInfo.InvariantCulture));
        Line("used_cpu_user", user.ToString("F6", CultureInfo.InvariantCulture));
        Line("used_cpu_sys_main_thread", kernel.ToString("F6", CultureInfo.InvariantCulture));
        Line("used_cpu_user_main_thread", user.ToString("F6", CultureInfo.InvariantCulture));
    }

    private void WriteKeyspace()
    {
        for (var index = 0; index < _call.Server.Databases.Length; index++)
        {
            var database = _call.Server.Databases[index];
            if (database.Count > 0)
                Line($"db{index}", $"keys={database.Count},expires={database.ExpiringCount},avg_ttl=0");
        }
    }

    private void Line(string name, string value) => _text.Append(name).Append(':').Append(value).Append("\r\n");

    private void Line(string name, long value) => Line(name, value.ToString(CultureInfo.InvariantCulture));
}

/// <summary>The server itself: TIME, INFO, CLUSTER's refusal.</summary>
internal static class ServerCommands
{
    /// <summary>The version of Redis whose replies these are.</summary>
    public const string Version = "7.0.15";

    private const CommandFlags Plain = CommandFlags.Loading | CommandFlags.Stale;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("time", 1, Plain | CommandFlags.Fast, Time),
        new("info", -1, Plain, static call => call.Verbatim(ServerInformation.Write(call))),
        new("cluster", -2, Plain, static call => call.Error("ERR This instance has cluster support disabled")),
    ];

    private static void Time(CommandCall call)
    {
        var microseconds = call.Server.Clock.Microseconds;
        call.Reply.WriteArrayHeader(2);
        call.Reply.WriteBulkString(microseconds / 1_000_000);
        call.Reply.WriteBulkString(microseconds % 1_000_000);
    }
}
