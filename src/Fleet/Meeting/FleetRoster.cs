using System.Globalization;

namespace RedisLatency.Fleet.Meeting;

/// <summary>How many members of each role a run has. A member's place is its number among all, role by role.</summary>
public sealed class FleetRoster
{
    private readonly IReadOnlyList<(string Role, int Count)> _roles;

    /// <summary>Makes it of roles in the order that all members of a run have.</summary>
    public FleetRoster(params IReadOnlyList<(string Role, int Count)> roles) => _roles = roles;

    /// <summary>How many there are.</summary>
    public int Count => _roles.Sum(one => one.Count);

    /// <summary>Reads what <see cref="ToString"/> writes; null where it is something else.</summary>
    public static FleetRoster? Read(string? text)
    {
        List<(string Role, int Count)> roles = [];
        foreach (var part in text?.Split(',') ?? [])
        {
            if (part.Split('=') is not [{ Length: > 0 } role, var number]
                || !int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                || count == 0 || roles.Exists(known => known.Role == role))
                return null;
            roles.Add((role, count));
        }

        return roles.Count == 0 ? null : new FleetRoster(roles);
    }

    /// <summary>The same roles in another order; null where there is one that is not among these.</summary>
    public FleetRoster? InOrder(IReadOnlyList<string> roles) => _roles.All(one => roles.Contains(one.Role))
        ? new FleetRoster([.. _roles.OrderBy(one => roles.TakeWhile(role => role != one.Role).Count())])
        : null;

    /// <summary>How many there are of a role.</summary>
    public int CountOf(string role) => _roles.FirstOrDefault(one => one.Role == role).Count;

    /// <summary>The place of a role's first member.</summary>
    public int FirstOf(string role) => _roles.TakeWhile(one => one.Role != role).Sum(one => one.Count);

    /// <summary>Which member has a place: its role, and its index in that, from 0.</summary>
    public (string Role, int Index) At(int place)
    {
        foreach (var (role, count) in _roles)
        {
            if (place < count)
                return (role, place);
            place -= count;
        }

        throw new ArgumentOutOfRangeException(nameof(place));
    }

    /// <summary>The member that has a place, in words: <c>producer 1</c>; below 0 nobody's.</summary>
    public string NameOf(int place)
    {
        if (place < 0 || place >= Count)
            return "a process";
        var (role, index) = At(place);
        return $"{role} {index.ToString(CultureInfo.InvariantCulture)}";
    }

    /// <summary>All roles: <c>producer=3,consumer=3</c>.</summary>
    public override string ToString() => string.Join(
        ",", _roles.Select(one => $"{one.Role}={one.Count.ToString(CultureInfo.InvariantCulture)}"));
}
