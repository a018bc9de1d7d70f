using System.Globalization;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Truth;

/// <summary>MONITOR at a replica: it tells to the microsecond when it applied each command of its primary.</summary>
internal sealed partial class ReplicaMonitor : IAsyncDisposable
{
    private readonly TcpClient _client;
    private readonly CapturedLines _lines;
    private readonly string _primary;

    private ReplicaMonitor(TcpClient client, string primary)
    {
        _client = client;
        _primary = $" 127.0.0.1:{primary}]";
        _lines = new CapturedLines(new StreamReader(client.GetStream()));
    }

    /// <summary>Begins; returns when nothing is missed any more.</summary>
    /// <param name="replica">The replica.</param>
    /// <param name="primaryPort">The port by which it reaches its primary.</param>
    public static async Task<ReplicaMonitor> Start(RedisServerProcess replica, int primaryPort)
    {
        var client = new TcpClient();
        await client.ConnectAsync("127.0.0.1", replica.Port);
        await client.GetStream().WriteAsync("MONITOR\r\n"u8.ToArray());
        var monitor = new ReplicaMonitor(client, primaryPort.ToString(CultureInfo.InvariantCulture));
        await monitor._lines.WaitFor("+OK");
        return monitor;
    }

    /// <summary>What came from the primary, in order, once a last command is among it.</summary>
    /// <param name="last">What only the line of the last command holds.</param>
    public async Task<IReadOnlyList<AppliedCommand>> Until(string last)
    {
        await _lines.WaitFor(last, line => IsApplied(line) && line.Contains(last, StringComparison.Ordinal));
        return [.. _lines.Lines.Where(IsApplied).Select(Read)];
    }

    public async ValueTask DisposeAsync()
    {
        _client.Client.Shutdown(SocketShutdown.Both);
        await _lines.End;
        _client.Dispose();
    }

    private static AppliedCommand Read(string line)
    {
        var stamp = line[1..line.IndexOf(' ', StringComparison.Ordinal)].Split('.');
        var microseconds = (long.Parse(stamp[0], CultureInfo.InvariantCulture) * 1_000_000)
            + long.Parse(stamp[1], CultureInfo.InvariantCulture);
        var words = line[(line.IndexOf("] \"", StringComparison.Ordinal) + 3)..^1];
        return new AppliedCommand(microseconds * 1_000, [.. words.Split("\" \"").Select(Unescape)]);
    }

    // One character for each byte, as MONITOR shows those that cannot be printed.
    private static string Unescape(string word) => Escape().Replace(word, found => found.Value[1] switch
    {
        'x' => ((char)int.Parse(found.Value.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture)).ToString(),
        'n' => "\n",
        'r' => "\r",
        't' => "\t",
        'a' => "\a",
        'b' => "\b",
        var itself => itself.ToString(),
    });

    [GeneratedRegex(@"\\(x[0-9a-f]{2}|.)")]
    private static partial Regex Escape();

    private bool IsApplied(string line) => line.Contains(_primary, StringComparison.Ordinal);
}
