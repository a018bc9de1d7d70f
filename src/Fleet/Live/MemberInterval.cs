namespace RedisLatency.Fleet.Live;

/// <summary>What a member measured in an interval, a second as a rule.</summary>
/// <param name="Place">Which member, among all.</param>
/// <param name="At">When it began, seen from the start of all members; negative before that.</param>
/// <param name="Series">The series that says most.</param>
/// <param name="Tags">The tags of its lines that add up to it, with spaces between.</param>
/// <param name="Lines">What the interval log has of it.</param>
/// <param name="IsLast">Whether what was measured is over with it.</param>
public sealed record MemberInterval(
    int Place, TimeSpan At, string Series, string Tags, ReadOnlyMemory<byte> Lines, bool IsLast);
