using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

/// <summary>What was found out in a search that failed, and what to tell the user of it.</summary>
internal sealed class SearchOutcome(RedisEndpoint endpoint, string what)
{
    private readonly List<RedisException> _sentinels = [];
    private readonly List<string> _unaware = [];
    private readonly List<string> _unfit = [];
    private RedisException? _serverProblem;

    /// <summary>Whether more time may help: no Sentinel has answered, and some were out of time.</summary>
    public bool WasTooHasty => _unaware.Count + _unfit.Count == 0 && _sentinels.Exists(problem =>
        problem is RedisTimeoutException or RedisConnectException { Reason: ConnectFailure.TimedOut });

    public void SentinelFailed(RedisException problem) => _sentinels.Add(problem);

    public void ServiceUnknown(RedisEndpoint sentinel) => _unaware.Add(sentinel.Address);

    public void ServerUnfit(string reason, RedisException? problem = null)
    {
        _unfit.Add(reason);
        _serverProblem ??= problem;
    }

    public RedisConnectException Failure()
    {
        var failed = _sentinels.Count == 0
            ? string.Empty
            : $"; {string.Join("; ", _sentinels.Select(problem => problem.Message))}";
        if (_unfit.Count > 0)
        {
            return new RedisConnectException(
                ConnectFailure.NoFittingServer,
                $"{endpoint}: no {what} is found, perhaps a failover goes on: {string.Join("; ", _unfit)}{failed}",
                _serverProblem);
        }

        if (_unaware.Count > 0)
        {
            return new RedisConnectException(
                ConnectFailure.ServiceUnknown,
                $"{endpoint}: no Sentinel knows the service '{endpoint.Service}' (asked: {string.Join(", ", _unaware)})"
                + $"; SENTINEL MASTERS lists those they know{failed}");
        }

        var reason = _sentinels.Find(problem => !problem.IsTransient) ?? _sentinels[0];
        return new RedisConnectException(
            (reason as RedisConnectException)?.Reason ?? (reason.IsTransient
                ? ConnectFailure.Unreachable
                : ConnectFailure.RefusedByServer),
            $"{endpoint}: no Sentinel answers{failed}",
            reason);
    }
}
