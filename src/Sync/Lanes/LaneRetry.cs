using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// Settles what a target refused, one request after the other, each waited for: follows MOVED and ASK, tries again
/// what passes by itself, rebuilds keys whose RESTORE is refused. Used by the thread of its lane.
/// </summary>
internal sealed class LaneRetry(
    LaneRules rules, LaneServer own, LaneConnections connections, SyncFault fault, MissedKeys missed) : IDisposable
{
    // Of a request that was carried out before another that it belongs behind.
    public const string Overtook = "TRYAGAIN it went through before another that stands before it";

    private readonly RespWriter _request = new();
    private readonly CommandFrames _frames = new();
    private readonly int _exists = rules.Table.All.First(command => command.Name == "EXISTS").Number;
    private SlotRoutes? _routes;
    private bool _isAnswerLost;
    private bool _wentThrough;

    // What follows a SELECT does not wait for its answer, and would be carried out where the connection was.
    public void RequireDatabase(int database)
    {
        try
        {
            connections.Patiently(() =>
            {
                connections.Close(own.Endpoint);
                return connections.To(own.Endpoint, database);
            });
        }
        catch (RedisServerException refusal) when (!refusal.IsTransient)
        {
            throw new RedisServerException(
                refusal.Reply,
                $"{own}: SELECT {database} was refused: {refusal.Reply}. Map it (--database-map {database}:0), or "
                    + $"block it where it is the source's (--block-database {database}).");
        }
    }

    /// <summary>Asks again until it is done.</summary>
    /// <returns>Whether the target has it now; false where it was left out, and counted so.</returns>
    /// <exception cref="RedisServerException">It is refused for good.</exception>
    public bool Settle(RefusedRequest refused) => Settle(refused, own.Endpoint, missed.Count);

    private bool Settle(RefusedRequest refused, RedisEndpoint endpoint, Action<RefusedRequest, RespCursor> hear)
    {
        var error = refused.Error;
        var since = MonotonicClock.NowNs();
        var (asks, isBegun, redirections, pauses) = (false, false, (byte)0, 0);
        while (true)
        {
            fault.ThrowIfSet();
            connections.RequireOwn();
            var next = RequestRetry.After(ErrorReply.KindOf(error), ref redirections);
            if (next != NextStep.GiveUp && MonotonicClock.NowNs() - since > rules.Patience.InNanoseconds)
            {
                throw new TargetLostException(
                    $"{endpoint.Address}: {Shown(refused)} was refused for {rules.Patience.TotalSeconds:0.#} s: "
                        + error + ReplyOutcomes.RemedyFor(error));
            }

            if (next == NextStep.Follow
                && Redirection.TryParse(Encoding.UTF8.GetBytes(error), out var redirection))
            {
                endpoint = Follow(redirection, endpoint);
                asks = redirection.Kind == ErrorKind.Ask;
            }
            else if (next == NextStep.SendAgain)
            {
                asks = false;
                // What stood before it went through by now: so may it.
                if (!_wentThrough)
                    fault.Wait(RequestRetry.PauseAfter(pauses++));
                endpoint = Owner(refused.Unit.Slot, endpoint, mayHaveChanged: !_wentThrough);
            }
            else if (IsOwnKey(refused.Unit, error))
            {
                refused = refused with { Request = RestoreRequest.Replacing(refused.Request) };
            }
            else if (refused.Share is not null && missed.Takes(refused, error))
            {
                return true;
            }
            else if (LeavesOutLibrary(refused, error) is { } isLeftOut)
            {
                return !isLeftOut;
            }
            else if (refused.Unit.Kind != UnitKind.Restore)
            {
                throw Refused(refused, error);
            }
            else
            {
                var began = MonotonicClock.NowNs();
                var (isThere, passing) = TryWithoutRestore(refused, error, endpoint, asks, isBegun);
                if (passing is null)
                    return isThere;
                // What there is of it by now is its own. How long that took counts for nothing.
                refused = isBegun ? refused : refused with { Request = RestoreRequest.Replacing(refused.Request) };
                (error, isBegun, _wentThrough) = (passing, true, false);
                since += MonotonicClock.NowNs() - began;
                continue;
            }

            _wentThrough = false;
            if (refused.Unit is { Mark: not 0, WasSent: true })
            {
                if (AskMark(refused, endpoint, out var isMarked) is { } notKnown)
                {
                    error = notKnown;
                    continue;
                }

                if (isMarked)
                {
                    _wentThrough = true;
                    return true;
                }
            }

            var answer = Ask(endpoint, refused.Request, refused.Unit, asks, reply => hear(refused, reply));
            if (answer is null)
            {
                _wentThrough = true;
                return true;
            }

            error = answer;
            if (_isAnswerLost)
                refused = refused with { Unit = refused.Unit with { WasSent = true } };
        }
    }

    // Whether it was carried out, although its answer was lost. An error where that is not known yet.
    private string? AskMark(RefusedRequest refused, RedisEndpoint endpoint, out bool isMarked)
    {
        var isThere = false;
        if (refused.Share?.Owner.Checkpoint is { } checkpoint)
        {
            _request.Clear();
            _request.WriteRequest(
                "HGET", checkpoint.KeyOf(refused.Unit.MarkGroup), checkpoint.FieldOf(refused.Unit.MarkGroup));
            var unit = new SentUnit { Slot = refused.Unit.Slot, Kind = UnitKind.Control, IsRepeatable = true };
            var error = Ask(endpoint, _request.Written.ToArray(), unit, asks: false, reply => isThere =
                checkpoint.Covers(Encoding.UTF8.GetString(reply.Content), refused.Unit.Mark));
            isMarked = isThere;
            return error;
        }

        isMarked = false;
        return null;
    }

    public void Dispose() => connections.Dispose();

    public Exception Refused(RefusedRequest refused, string error) =>
        refused.Unit.WasSent && ReplyOutcomes.IsOfType(error)
            // A later command has made it another type, most likely, which is what the source has.
            ? new TargetLostException(
                $"{own}: {Shown(refused)} was sent again, as its answer was lost, and is refused now: {error}. Whether "
                    + "it was carried out before is not known.")
            : new RedisServerException(
                error,
                $"{own}: {Shown(refused)} was refused: {error}{ReplyOutcomes.RemedyFor(error)}"
                    + (rules.IsLibrary(refused.Unit) && ReplyOutcomes.IsOfValue(error)
                        ? $"; {SyncCatalogue.SkipRefusedLibraries} leaves such libraries out"
                        : string.Empty));

    private string Shown(RefusedRequest refused)
    {
        if (refused.Unit.Kind == UnitKind.Transaction)
            return $"a transaction that begins with {rules.NameOf(refused.Unit.Command)}";
        var name = rules.NameOf(refused.Unit).Replace('-', ' ');
        if (refused.Unit.KeyLength == 0)
            return name;
        var key = KeyText.Of(KeyOf(refused));
        return name.EndsWith($" {key}", StringComparison.OrdinalIgnoreCase) ? name : $"{name} {key}";
    }

    private static ReadOnlySpan<byte> KeyOf(RefusedRequest refused) =>
        refused.Request.AsSpan(refused.Unit.KeyStart - refused.Unit.Start, refused.Unit.KeyLength);

    // There was none before the run, and of the one that was sent the answer was lost.
    private bool IsOwnKey(in SentUnit unit, string error) =>
        ReplyOutcomes.Of(error) == ReplyOutcome.BusyKey && rules.IsOwnKey(unit);

    // Whether it is there now; or why not yet, where that passes: then a part of it may be.
    private (bool IsThere, string? Passing) TryWithoutRestore(
        RefusedRequest refused, string error, RedisEndpoint endpoint, bool asks, bool isBegun)
    {
        _frames.Reset();
        _frames.TryRead(refused.Request, out _);
        var words = _frames.Words.ToArray();
        ReadOnlySpan<byte> WordAt(int number) => refused.Request.AsSpan(words[number].Start, words[number].Length);
        var key = WordAt(1);
        if (ReplyOutcomes.Of(error) == ReplyOutcome.BusyKey)
            return (IsThere(refused, key), null);
        if (!ReplyOutcomes.IsOfValue(error))
            throw Refused(refused, error);
        var replaces = isBegun || rules.OnExisting == ExistingKeys.Rewrite || rules.IsOwnKey(refused.Unit);
        if (!replaces && Exists(endpoint, key, refused.Unit, asks))
            return (IsThere(refused, key), null);
        var expiry = long.Parse(Encoding.ASCII.GetString(WordAt(2)), System.Globalization.CultureInfo.InvariantCulture);
        if (expiry > 0 && !rules.IsAbsolute)
            expiry += rules.Clock.NowMs;
        var commands = new TypedCommands(
            rules.Format, new() { Replaces = replaces, ChecksFirst = true, BigValue = rules.BigValue });
        string? refusal = null;
        try
        {
            commands.Write(key, DumpPayload.Parse(WordAt(3)), expiry == 0 ? null : expiry, request =>
            {
                if (refusal is null && Ask(endpoint, request, refused.Unit, asks) is { } problem)
                    refusal = problem;
            });
        }
        catch (RdbException problem)
        {
            refusal = $"{error}; {problem.Message}";
        }

        if (refusal is not null && ReplyOutcomes.ComesAgain(refusal))
            return (false, refusal);
        if (refusal is not null)
            refused.Counts.Skip($"the target refuses the value: {refusal}", key);
        else if (commands.Losses != TypedLosses.None)
            refused.Counts.Skip($"a part of the value that the target does not know: {commands.Losses.InWords()}", key);
        else
            refused.Counts.CountRebuilt();
        return (refusal is null, null);
    }

    // Null where it is none, or is not left out. Of one that is not there nothing is left to delete.
    private bool? LeavesOutLibrary(RefusedRequest refused, string error)
    {
        if (!rules.IsLibrary(refused.Unit) || !ReplyOutcomes.IsOfValue(error))
            return null;
        if (error.StartsWith("ERR Library not found", StringComparison.Ordinal))
            return false;
        if (!rules.LeavesOutRefusedLibraries)
            return null;
        _frames.Reset();
        _frames.TryRead(refused.Request, out _);
        var last = _frames.Words[^1];
        var code = refused.Request.AsSpan(last.Start, last.Length);
        var end = code.IndexOf((byte)'\n');
        refused.Counts.Skip(ReplicatedCommands.RefusedLibrary + error, end < 0 ? code : code[..end]);
        return true;
    }

    public bool MayNotReplace(ReadOnlySpan<byte> key, int database, int slot)
    {
        if (!Exists(own.Endpoint, key, new SentUnit { Database = database, Slot = slot }, asks: false))
            return false;
        RequireSkipping(key);
        return true;
    }

    private bool IsThere(RefusedRequest refused, ReadOnlySpan<byte> key)
    {
        RequireSkipping(key);
        refused.Counts.Skip(LaneRules.ThereAlready, key);
        return false;
    }

    private void RequireSkipping(ReadOnlySpan<byte> key)
    {
        if (rules.OnExisting == ExistingKeys.Panic)
        {
            throw new RedisServerException(
                "BUSYKEY",
                $"{own}: the key {KeyText.Of(key)} is there already. Empty the target, or give --on-existing "
                    + "rewrite or skip.");
        }
    }

    private bool Exists(RedisEndpoint endpoint, ReadOnlySpan<byte> key, in SentUnit of, bool asks)
    {
        _request.Clear();
        _request.WriteArrayHeader(2);
        _request.WriteBulkString("EXISTS"u8);
        _request.WriteBulkString(key);
        var request = _request.Written.ToArray();
        var unit = new SentUnit
        {
            KeyStart = request.Length - key.Length - 2,
            KeyLength = key.Length,
            Database = of.Database,
            Command = _exists,
            Slot = of.Slot,
            Kind = UnitKind.Control,
            IsRepeatable = true,
        };
        var exists = false;
        if (Ask(endpoint, request, unit, asks, reply => exists = reply.Number > 0) is { } error)
        {
            var refused = new RefusedRequest(unit, request, error, null, 0);
            Settle(refused, endpoint, (_, reply) => exists = reply.Number > 0);
        }

        return exists;
    }

    // Null where it went well, else the error.
    private string? Ask(
        RedisEndpoint endpoint, ReadOnlySpan<byte> request, in SentUnit unit, bool asks,
        Action<RespCursor>? hear = null)
    {
        _isAnswerLost = false;
        try
        {
            var pipeline = connections.To(endpoint, unit.Database);
            if (asks)
                pipeline.Ask("ASKING");
            pipeline.Send(request, Math.Max(unit.Replies, 1));
            string? error = null;
            for (var i = 0; i < Math.Max(unit.Replies, 1); i++)
            {
                var reply = pipeline.Await("what was asked again");
                hear?.Invoke(reply);
                do
                {
                    if (reply.IsError)
                        error ??= Encoding.UTF8.GetString(reply.Content);
                }
                while (reply.MoveNext());
            }

            return error;
        }
        catch (RedisException lost) when (lost is RedisConnectionLostException or RedisTimeoutException)
        {
            connections.GiveUp(endpoint);
            _isAnswerLost = true;
            if (unit.Mark == 0 && !unit.IsRepeatable)
            {
                var name = Shown(new RefusedRequest(unit, request.ToArray(), string.Empty, null, 0));
                throw new TargetLostException(
                    $"{endpoint.Address}: {lost.Message}. Whether {name} was carried out is not known, and it changes "
                        + "the data if it is sent twice.",
                    lost);
            }

            return $"TRYAGAIN {lost.Message}";
        }
        catch (RedisException unreachable) when (unreachable.MayPassAtReconnect)
        {
            return $"TRYAGAIN {unreachable.Message}";
        }
    }

    private RedisEndpoint Follow(in Redirection redirection, RedisEndpoint asked) =>
        rules.Map is not { } map ? asked : RoutesOf(map).Follow(redirection, NodeAt(map, asked)).Endpoint;

    private ClusterNode NodeAt(SlotMapSource map, RedisEndpoint endpoint) =>
        map.Nodes.FirstOrDefault(node => node.Endpoint.Address == endpoint.Address) ?? own.Node!;

    private RedisEndpoint Owner(int slot, RedisEndpoint before, bool mayHaveChanged)
    {
        if (rules.Map is not { } map)
            return before;
        var routes = RoutesOf(map);
        if (mayHaveChanged)
            routes.Doubt();
        return slot >= 0 && routes.PrimaryOf(slot) is >= 0 and var number ? map.Nodes[number].Endpoint : before;
    }

    // With the newest map.
    private SlotRoutes RoutesOf(SlotMapSource map)
    {
        _routes ??= new SlotRoutes(map);
        _routes.TryTakeNewer();
        return _routes;
    }
}
