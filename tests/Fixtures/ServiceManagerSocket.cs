using System.Net.Sockets;
using System.Text;

namespace RedisLatency.Fixtures;

/// <summary>The end of systemd in <c>Type=notify</c>: a datagram socket that keeps what services say.</summary>
public sealed class ServiceManagerSocket : IDisposable
{
    private const int MostBytes = 4096;

    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-notify-").FullName;

    public ServiceManagerSocket() => _socket.Bind(new UnixDomainSocketEndPoint(Path.Combine(_folder, "notify")));

    /// <summary>What a service is given that this one starts.</summary>
    /// <param name="watchdog">Its WatchdogSec, or null.</param>
    public IReadOnlyDictionary<string, string> Environment(TimeSpan? watchdog)
    {
        var environment = new Dictionary<string, string> { ["NOTIFY_SOCKET"] = Path.Combine(_folder, "notify") };
        if (watchdog is { } limit)
            environment["WATCHDOG_USEC"] = $"{limit.TotalMicroseconds:F0}";
        return environment;
    }

    /// <summary>Waits for the next word of the service.</summary>
    public async Task<string> Next()
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        var bytes = new byte[MostBytes];
        return Encoding.UTF8.GetString(bytes, 0, await _socket.ReceiveAsync(bytes, limit.Token));
    }

    /// <summary>Waits for a word, and returns those before it.</summary>
    public async Task<IReadOnlyList<string>> Until(string word)
    {
        List<string> before = [];
        while (await Next() is var next && next != word)
            before.Add(next);
        return before;
    }

    public void Dispose()
    {
        _socket.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
