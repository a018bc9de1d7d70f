namespace RedisLatency.Replication.Nodes;

/// <summary>What happened to an end between two looks at it.</summary>
internal static class EndChanges
{
    /// <summary>What happened: a kind in a word, and a sentence.</summary>
    /// <param name="end">Which end: source or destination.</param>
    /// <param name="before">What it said before.</param>
    /// <param name="after">What it says now.</param>
    public static IEnumerable<(string Kind, string Text)> Between(string end, EndState before, EndState after)
    {
        // Counters begin anew with the server.
        var isSame = before.RunId == after.RunId;
        if (!isSame)
            yield return ("restarted", $"{end}: the server was restarted");
        foreach (var change in RoleChanges(end, before, after))
            yield return change;
        if (after.IsReceivingCopy && !before.IsReceivingCopy)
            yield return ("full-resync", $"{end}: receives a full copy");
        var from = isSame ? before : new EndState();
        if (after.FullResyncs > from.FullResyncs)
            yield return ("full-resync", $"{end}: began to send a full copy to a replica");
        if (after.PartialResyncs > from.PartialResyncs)
            yield return ("partial-resync", $"{end}: a replica went on where it had stopped");
        if (after.Flushes > from.Flushes)
            yield return ("flushed", $"{end}: was flushed");
        if (after.Evictions > from.Evictions)
            yield return ("evicted", $"{end}: evicted keys, because its memory is full");
    }

    private static IEnumerable<(string Kind, string Text)> RoleChanges(string end, EndState before, EndState after)
    {
        if (before.Role != after.Role)
        {
            yield return after.Primary.Length == 0
                ? ("promoted", $"{end}: is a primary now, and replicates nobody")
                : ("failover", $"{end}: is a replica of {after.Primary} now");
            yield break;
        }

        if (before.Primary != after.Primary)
            yield return ("failover", $"{end}: replicates {after.Primary} now, and no longer {before.Primary}");
        if (before.Link != after.Link && after.Link.Length > 0)
        {
            yield return after.Link == "up"
                ? ("link-up", $"{end}: its link to {after.Primary} is up")
                : ("link-down", $"{end}: its link to {after.Primary} is down");
        }
    }
}
