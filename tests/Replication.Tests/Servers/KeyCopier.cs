using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>
/// Joins two stores in the simplest way: polls for keys at the servers of the one again and again, and writes each to
/// the server of the other that has its slot, anew when its value has changed.
/// </summary>
internal sealed class KeyCopier : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _copying;

    /// <summary>Begins to copy.</summary>
    /// <param name="from">Every server that has keys.</param>
    /// <param name="to">Every server that takes them, in the order of their equal ranges of slots.</param>
    public KeyCopier(IReadOnlyList<string> from, IReadOnlyList<string> to) =>
        _copying = Task.Factory.StartNew(
            () => Copy(from, to), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _copying;
        _stop.Dispose();
    }

    private static RedisConnection Open(string uri) => RedisConnection.Open(RedisEndpoint.Parse(uri), Patience.Connection);

    private void Copy(IReadOnlyList<string> from, IReadOnlyList<string> to)
    {
        List<RedisConnection> sources = [.. from.Select(Open)];
        List<RedisConnection> destinations = [.. to.Select(Open)];
        var copied = new Dictionary<string, string>(StringComparer.Ordinal);
        while (!_stop.Token.WaitHandle.WaitOne(TimeSpan.FromMilliseconds(5)))
        {
            foreach (var source in sources)
            {
                foreach (var key in source.Execute("SCAN", "0", "COUNT", "100000").Items[1].Items.Select(key => key.Text))
                {
                    // Keys of a schedule are written once; only what is announced changes.
                    if (copied.ContainsKey(key) && !key.EndsWith("announced", StringComparison.Ordinal))
                        continue;
                    var value = source.Execute("GET", key).Text;
                    if (copied.GetValueOrDefault(key) == value)
                        continue;
                    Write(destinations, key, value);
                    copied[key] = value;
                }
            }
        }

        sources.ForEach(source => source.Dispose());
        destinations.ForEach(destination => destination.Dispose());
    }

    // A slot may be in the middle of its move, or have moved.
    private static void Write(List<RedisConnection> servers, string key, string value)
    {
        var slot = KeySlot.Of(Encoding.UTF8.GetBytes(key));
        var reply = servers[(slot * servers.Count) / KeySlot.Count].Request("SET", key, value);
        if (!reply.IsError)
            return;
        Redirection.TryParse(Encoding.UTF8.GetBytes(reply.Text), out var redirection).ShouldBeTrue(reply.Text);
        var port = redirection.Port;
        var named = servers.Single(server => server.Endpoint.Port == port);
        if (redirection.Kind == ErrorKind.Ask)
            named.Execute("ASKING");
        named.Execute("SET", key, value);
    }
}
