using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// The connections of a lane: its own, and those over which it asks again, of other servers too. What one that was
/// given up still carries, in the network or unread by a server that stood still, would be carried out behind what is
/// newer, so the next one has it ended by the server first.
/// </summary>
internal sealed class LaneConnections(LaneRules rules, LaneServer own, SyncFault fault) : IDisposable
{
    private readonly Dictionary<string, (RedisPipeline Pipeline, ClientIdentity Client)> _pipelines = [];
    private readonly List<ClientIdentity> _givenUp = [];
    private readonly Reconnection _reconnection = new(rules.Patience);
    private ClientIdentity? _own;

    // Waits while the target is away. What is asked first is so before anything is sent.
    public TakenConnection OpenOwn(Action<RedisConnection> askFirst) => Patiently(_reconnection, () =>
    {
        RequireOwn();
        (var connection, _own) = Open(own.Endpoint);
        try
        {
            askFirst(connection);
        }
        catch (RedisException)
        {
            connection.Dispose();
            throw;
        }

        return connection.Take();
    });

    // What the former primary had acknowledged and not replicated is not at the new one.
    /// <exception cref="TargetLostException">Another server took its place.</exception>
    public void RequireOwn()
    {
        if (rules.Map is { } map && map.Current.Shards.All(shard => shard.Primary != own.Node))
        {
            throw new TargetLostException(
                rules.Replaced ?? $"Another server took the place of the target {own}, or all of its slots.");
        }
    }

    // Its own has answered something.
    public void NoteServed() => _reconnection.NoteServed();

    // Of what it carried not all was answered.
    public void GiveUpOwn()
    {
        if (_own is { } client)
            _givenUp.Add(client);
        _own = null;
    }

    public RedisPipeline To(RedisEndpoint endpoint, int database)
    {
        if (!_pipelines.TryGetValue(endpoint.Address, out var one))
        {
            var (connection, client) = Open(endpoint);
            _pipelines[endpoint.Address] = one = (new RedisPipeline(connection), client);
        }

        one.Pipeline.Ask("SELECT", database.ToString(CultureInfo.InvariantCulture));
        return one.Pipeline;
    }

    public void GiveUp(RedisEndpoint endpoint)
    {
        if (_pipelines.TryGetValue(endpoint.Address, out var one))
            _givenUp.Add(one.Client);
        Close(endpoint);
    }

    public void Close(RedisEndpoint endpoint)
    {
        if (_pipelines.Remove(endpoint.Address, out var one))
            one.Pipeline.Dispose();
    }

    // A server may close what is idle, and whoever asks then does not know whether he was heard.
    public void CloseAll()
    {
        foreach (var (pipeline, _) in _pipelines.Values)
            pipeline.Dispose();
        _pipelines.Clear();
    }

    public void Dispose() => CloseAll();

    public T Patiently<T>(Func<T> open) => Patiently(new Reconnection(rules.Patience), open);

    private T Patiently<T>(Reconnection reconnection, Func<T> open)
    {
        try
        {
            if (!reconnection.TryReach(Open, fault.Ended, out var opened))
                throw new OperationCanceledException(fault.Ended);
            return opened;
        }
        catch (RedisException problem) when (problem.MayPassAtReconnect)
        {
            throw new TargetLostException($"{own} was lost and did not come back: {problem.Message}", problem);
        }

        T Open()
        {
            try
            {
                return open();
            }
            catch (RedisException problem) when (problem.MayPassAtReconnect)
            {
                rules.Map?.Doubt(rules.Map.Current);
                throw;
            }
        }
    }

    private (RedisConnection Connection, ClientIdentity Client) Open(RedisEndpoint endpoint)
    {
        var connection = RedisConnection.Open(
            endpoint with { Database = 0 }, rules.Target.Connection with { ClientName = "redislatency-sync" });
        try
        {
            var client = ClientIdentity.Of(connection, endpoint.Address);
            var process = client.RunId ?? string.Empty;
            var known = rules.Processes.AddOrUpdate(
                client.Address, process, (_, first) => first == process ? first : LaneRules.Several);
            if (known == LaneRules.Several)
                throw new TargetLostException($"The target {client.Address} {LaneRules.StartedAgain}");

            EndGivenUp(connection, client);
            return (connection, client);
        }
        catch (TargetLostException)
        {
            connection.Dispose();
            throw;
        }
        catch (RedisException problem)
        {
            connection.Dispose();
            // Nothing was sent over it that anybody waits for.
            throw problem is RedisServerException
                ? problem
                : new RedisConnectException(ConnectFailure.ClosedByServer, problem.Message, problem);
        }
    }

    // Another process has none of them, and others under their numbers.
    private void EndGivenUp(RedisConnection connection, ClientIdentity now)
    {
        foreach (var former in _givenUp.Where(one => one.MayBeAt(now)).ToList())
        {
            if (former.EndOver(connection, now) is { } problem)
            {
                // It may carry a mark, too: who goes on from that would repeat what is there.
                rules.IsCheckpointBroken = true;
                throw new TargetLostException(
                    $"At the target {now.Address} a connection that was given up could not be ended ({problem}; the "
                        + "rights are +client|id +client|kill): what it still carried may be carried out behind what "
                        + "is newer.");
            }

            _givenUp.Remove(former);
        }
    }

    // Who a connection is to its server; without an id where it does not say.
    private sealed record ClientIdentity(string Address, string? RunId, long? Id)
    {
        public static ClientIdentity Of(RedisConnection connection, string address)
        {
            var info = Answered(connection, "INFO", "server");
            var id = connection.ClientId ?? Answered(connection, "CLIENT", "ID")?.Number;
            return new(address, info is null ? null : ServerFacts.FieldsOf(info.Text).GetValueOrDefault("run_id"), id);
        }

        public bool MayBeAt(ClientIdentity now) => RunId is null || now.RunId is null || RunId == now.RunId;

        // Null where it is ended, or was by itself; else why not.
        public string? EndOver(RedisConnection connection, ClientIdentity now)
        {
            if (Id is not { } id || RunId is null || now.RunId is null)
                return "the server does not say by which number it knows it, or by which run_id itself";
            var reply = connection.Request("CLIENT", "KILL", "ID", id.ToString(CultureInfo.InvariantCulture));
            return reply.IsError && new RedisServerException(reply.Text) is var refusal
                ? refusal.IsTransient ? throw refusal : $"CLIENT KILL: {refusal.Reply}"
                : null;
        }

        private static RespValue? Answered(RedisConnection connection, params string[] words)
        {
            var reply = connection.Request(words);
            if (!reply.IsError)
                return reply;
            var refusal = new RedisServerException(reply.Text);
            return refusal.IsTransient ? throw refusal : null;
        }
    }
}
