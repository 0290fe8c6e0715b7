using System;
using System.Collections.Generic;

namespace Samewait.Retry
{
    /// <summary>
    /// A work queue in virtual time: leases, retries and use-by clocks as chapter 6 has them, and nothing that sleeps. Move the
    /// time with <see cref="AdvanceTo"/>, act, and read what happened in <see cref="Trace"/>. Not for several threads.
    /// </summary>
    public sealed class WorkQueue
    {
        readonly RetryPolicy policy;
        readonly long messageTtl, ackTimeout; // 0 is none

        readonly Dictionary<string, Message> messages = new Dictionary<string, Message>(StringComparer.Ordinal);
        readonly Dictionary<string, Consumer> consumers = new Dictionary<string, Consumer>(StringComparer.Ordinal);
        readonly LinkedList<Consumer> withRoom = new LinkedList<Consumer>();
        readonly List<QueueEvent> trace = new List<QueueEvent>();

        // Every lease lasts equally long and so does every TTL: in the order in which they began, they also end. Only delays
        // need sorting. A message carries its own nodes, so that it leaves any of these lists at once.
        readonly LinkedList<Message> ready = new LinkedList<Message>();
        readonly LinkedList<Message> leased = new LinkedList<Message>();
        readonly LinkedList<Message> dead = new LinkedList<Message>();
        readonly LinkedList<Message> clocks = new LinkedList<Message>();
        readonly SortedSet<Message> delayed = new SortedSet<Message>(new DelayOrder());

        // Whole milliseconds: in binary64 seconds 0.1 + 0.2 comes after 0.3.
        long now;
        long delaysBegun;

        /// <summary>An empty queue at time zero.</summary>
        /// <param name="policy">What is done about failures; its jitter is left out.</param>
        /// <param name="messageTtl">How long a message waits for a consumer before it dies; zero is for ever.</param>
        /// <param name="ackTimeout">How long a consumer may hold a message; zero is for ever.</param>
        public WorkQueue(RetryPolicy policy, TimeSpan messageTtl = default(TimeSpan), TimeSpan ackTimeout = default(TimeSpan))
        {
            this.policy = policy ?? throw new ArgumentNullException(nameof(policy));
            if (!Seconds.IsLegal(messageTtl)) throw new InvalidArgumentException("message_ttl", messageTtl, Seconds.LegalRange);
            if (!Seconds.IsLegal(ackTimeout)) throw new InvalidArgumentException("ack_timeout", ackTimeout, Seconds.LegalRange);
            this.messageTtl = Seconds.ToMilliseconds(Seconds.FromTimeSpan(messageTtl));
            this.ackTimeout = Seconds.ToMilliseconds(Seconds.FromTimeSpan(ackTimeout));
        }

        /// <summary>The time since the start.</summary>
        public TimeSpan Now => Time(now);

        /// <summary>Everything that has happened, in order.</summary>
        public IReadOnlyList<QueueEvent> Trace => trace.AsReadOnly();

        /// <summary>Lets time pass, and everything happen that is due on the way or at its end .</summary>
        /// <param name="at">The time since the start: whole milliseconds, and not before <see cref="Now"/>.</param>
        public void AdvanceTo(TimeSpan at)
        {
            if (!Seconds.IsLegal(at) || at.Ticks % TimeSpan.TicksPerMillisecond != 0 || at < Now)
                throw new ArgumentOutOfRangeException(nameof(at), at, "a whole number of milliseconds, not before now");
            long target = at.Ticks / TimeSpan.TicksPerMillisecond;
            for (long next = NextInstant(); next <= target; next = NextInstant())
            {
                now = next;
                Settle();
            }
            now = target;
        }

        /// <summary>Puts in a message, under a name not used before.</summary>
        public void Put(string message)
        {
            Name(message, nameof(message));
            if (messages.ContainsKey(message)) throw new ArgumentException("this message was put before", nameof(message));
            var m = new Message(message);
            messages.Add(message, m);
            Enter(m);
            Settle();
        }

        /// <summary>Adds a consumer, which takes messages while it holds fewer than <paramref name="prefetch"/>.</summary>
        /// <returns>Whether it was added: not when the name is in use.</returns>
        public bool AddConsumer(string consumer, OnMessage onMessage = null, long? prefetch = null)
        {
            Name(consumer, nameof(consumer));
            if (prefetch < 1) throw new ArgumentOutOfRangeException(nameof(prefetch), prefetch, "1 or more");
            if (consumers.ContainsKey(consumer)) return Refuse("add_consumer", "duplicate_consumer", consumer: consumer);
            var c = new Consumer(consumer, onMessage ?? OnMessage.Hold, prefetch);
            consumers.Add(consumer, c);
            withRoom.AddLast(c.Room);
            Settle();
            return true;
        }

        /// <summary>Removes a consumer; what it holds fails.</summary>
        /// <returns>Whether it was removed: not when nobody has the name.</returns>
        public bool RemoveConsumer(string consumer)
        {
            Name(consumer, nameof(consumer));
            if (!consumers.TryGetValue(consumer, out Consumer c))
                return Refuse("remove_consumer", "unknown_consumer", consumer: consumer);
            consumers.Remove(consumer);
            if (c.Room.List != null) withRoom.Remove(c.Room);
            c.Removed = true;
            while (c.Leases.Count > 0) Fail(c.Leases.First.Value, "consumer removed");
            Settle(); // only now, after the last of them
            return true;
        }

        /// <summary>Settles a delivery of the message for good: its latest, or the one of this number.</summary>
        /// <returns>Whether that delivery was still to be settled.</returns>
        public bool Ack(string message, long? delivery = null)
        {
            Message m = LiveDelivery(message, delivery);
            if (m == null) return Refuse("ack", "unknown_delivery", message: message);
            Finish(m);
            Settle();
            return true;
        }

        /// <summary>Fails a delivery of the message: its latest, or the one of this number.</summary>
        /// <returns>Whether that delivery was still to be settled.</returns>
        public bool Nack(string message, string error = null, long? delivery = null)
        {
            Message m = LiveDelivery(message, delivery);
            if (m == null) return Refuse("nack", "unknown_delivery", message: message);
            Fail(m, error);
            Settle();
            return true;
        }

        /// <summary>Puts a dead message back in, as if it were new.</summary>
        /// <returns>Whether it was dead.</returns>
        public bool Replay(string message)
        {
            Name(message, nameof(message));
            if (!messages.TryGetValue(message, out Message m) || m.Place.List != dead)
                return Refuse("replay", "not_dead", message: message);
            dead.Remove(m.Place);
            Enter(m);
            Settle();
            return true;
        }

        /// <summary>Counts the messages in each state. The answer is part of the trace .</summary>
        public QueueStats Stats()
        {
            var stats = new QueueStats(ready.Count, delayed.Count, leased.Count, dead.Count);
            trace.Add(new QueueEvent(Now, QueueEventKind.Stats) { Stats = stats });
            return stats;
        }

        /// <summary>Lists the dead messages in the order of their deaths. The answer is part of the trace .</summary>
        public IReadOnlyList<DeadLetter> DeadLetters()
        {
            var letters = new List<DeadLetter>(dead.Count);
            foreach (Message m in dead) letters.Add(new DeadLetter(m.Name, m.Reason, m.Error, m.Attempts, Time(m.DiedAt)));
            trace.Add(new QueueEvent(Now, QueueEventKind.DeadLetters) { DeadLetters = letters.AsReadOnly() });
            return letters.AsReadOnly();
        }

        // What happens by itself

        /// <summary>Does the first of these that is possible, again and again until none is .</summary>
        void Settle()
        {
            while (EndLease() || EndDelay() || Deliver() || ExpireTtl()) { }
        }

        long NextInstant()
        {
            long next = long.MaxValue;
            if (ackTimeout > 0 && leased.Count > 0) next = Math.Min(next, leased.First.Value.LeaseEnd);
            if (delayed.Count > 0) next = Math.Min(next, delayed.Min.DelayEnd);
            if (clocks.Count > 0) next = Math.Min(next, clocks.First.Value.ClockEnd);
            return next;
        }

        bool EndLease()
        {
            if (ackTimeout == 0 || leased.Count == 0 || leased.First.Value.LeaseEnd > now) return false;
            Fail(leased.First.Value, "ack timeout");
            return true;
        }

        bool EndDelay()
        {
            if (delayed.Count == 0) return false;
            Message m = delayed.Min;
            if (m.DelayEnd > now) return false;
            delayed.Remove(m);
            BecomeReady(m);
            return true;
        }

        bool Deliver()
        {
            if (ready.Count == 0 || withRoom.Count == 0) return false;
            Message m = ready.First.Value;
            ready.RemoveFirst();
            StopClock(m);
            m.Attempts++;
            m.Deliveries++;
            m.LeaseEnd = now + ackTimeout;
            leased.AddLast(m.Place);

            Consumer c = withRoom.First.Value; // whichever: here they take turns
            withRoom.RemoveFirst();
            c.Leases.AddLast(m.Holding);
            m.Consumer = c;
            if (c.HasRoom) withRoom.AddLast(c.Room);
            Record(QueueEventKind.Delivered, m).Consumer = c.Name;

            if (c.OnMessage == OnMessage.Ack) Finish(m);
            else if (c.OnMessage != OnMessage.Hold) Fail(m, c.OnMessage.Error);
            return true;
        }

        bool ExpireTtl()
        {
            if (clocks.Count == 0 || clocks.First.Value.ClockEnd > now) return false;
            Message m = clocks.First.Value;
            if (m.Place.List == ready) ready.Remove(m.Place);
            else delayed.Remove(m);
            Die(m, GiveUpReason.TtlExpired);
            return true;
        }

        // What becomes of a message

        void Enter(Message m)
        {
            m.Attempts = 0;
            m.Error = null;
            m.EnteredAt = now;
            StartClock(m);
            BecomeReady(m);
        }

        void BecomeReady(Message m)
        {
            ready.AddLast(m.Place);
            trace.Add(new QueueEvent(Now, QueueEventKind.Ready) { Message = m.Name });
        }

        void Finish(Message m)
        {
            EndHolding(m);
            Record(QueueEventKind.Acked, m);
        }

        void Fail(Message m, string error)
        {
            EndHolding(m);
            m.Error = error;
            Record(QueueEventKind.Failed, m).Error = error;

            Decision decision = policy.NextDelay(m.Attempts, Time(now - m.EnteredAt));
            if (decision.GivesUp)
            {
                Die(m, decision.Reason.Value);
                return;
            }
            StartClock(m);
            long delay = Seconds.ToMilliseconds(decision.ExactSeconds);
            if (delay == 0)
            {
                BecomeReady(m);
                return;
            }
            m.DelayEnd = now + delay;
            m.DelayNumber = delaysBegun++;
            delayed.Add(m);
            trace.Add(new QueueEvent(Now, QueueEventKind.Delayed) { Message = m.Name, Until = Time(m.DelayEnd) });
        }

        void Die(Message m, GiveUpReason reason)
        {
            StopClock(m);
            m.Reason = reason;
            m.DiedAt = now;
            dead.AddLast(m.Place);
            QueueEvent death = Record(QueueEventKind.Dead, m);
            death.Reason = reason;
            death.Error = m.Error;
        }

        void EndHolding(Message m)
        {
            leased.Remove(m.Place);
            Consumer c = m.Consumer;
            m.Consumer = null;
            c.Leases.Remove(m.Holding);
            if (c.HasRoom && c.Room.List == null) withRoom.AddLast(c.Room);
        }

        void StartClock(Message m)
        {
            if (messageTtl == 0) return;
            m.ClockEnd = now + messageTtl;
            clocks.AddLast(m.Clock);
        }

        void StopClock(Message m)
        {
            if (m.Clock.List != null) clocks.Remove(m.Clock);
        }

        // Small things

        Message LiveDelivery(string message, long? delivery)
        {
            Name(message, nameof(message));
            if (delivery < 1) throw new ArgumentOutOfRangeException(nameof(delivery), delivery, "1 or more");
            if (!messages.TryGetValue(message, out Message m) || m.Place.List != leased) return null;
            return delivery == null || delivery == m.Deliveries ? m : null;
        }

        QueueEvent Record(QueueEventKind kind, Message m)
        {
            var happened = new QueueEvent(Now, kind) { Message = m.Name, Attempt = m.Attempts };
            trace.Add(happened);
            return happened;
        }

        bool Refuse(string call, string code, string message = null, string consumer = null)
        {
            trace.Add(new QueueEvent(Now, QueueEventKind.Refused)
            {
                RefusedCall = call,
                Code = code,
                Message = message,
                Consumer = consumer,
            });
            return false;
        }

        static void Name(string name, string parameter)
        {
            if (string.IsNullOrEmpty(name)) throw new ArgumentException("a name is needed", parameter);
        }

        static TimeSpan Time(long milliseconds) => TimeSpan.FromTicks(milliseconds * TimeSpan.TicksPerMillisecond);

        sealed class Message
        {
            internal readonly string Name;
            internal readonly LinkedListNode<Message> Place; // in ready, leased or dead
            internal readonly LinkedListNode<Message> Clock; // in clocks while its TTL clock runs
            internal readonly LinkedListNode<Message> Holding; // in its consumer's leases
            internal Consumer Consumer;
            internal int Attempts;
            internal long Deliveries; // never reset
            internal string Error;
            internal long EnteredAt, LeaseEnd, ClockEnd, DelayEnd, DelayNumber, DiedAt;
            internal GiveUpReason Reason;

            internal Message(string name)
            {
                Name = name;
                Place = new LinkedListNode<Message>(this);
                Clock = new LinkedListNode<Message>(this);
                Holding = new LinkedListNode<Message>(this);
            }
        }

        sealed class Consumer
        {
            internal readonly string Name;
            internal readonly OnMessage OnMessage;
            internal readonly LinkedList<Message> Leases = new LinkedList<Message>(); // in the order of delivery
            internal readonly LinkedListNode<Consumer> Room; // in withRoom
            internal bool Removed;
            readonly long prefetch;

            internal Consumer(string name, OnMessage onMessage, long? prefetch)
            {
                Name = name;
                OnMessage = onMessage;
                this.prefetch = prefetch ?? long.MaxValue;
                Room = new LinkedListNode<Consumer>(this);
            }

            internal bool HasRoom => !Removed && Leases.Count < prefetch;
        }

        /// <summary>The delay that ends first, and of several the one that began first .</summary>
        sealed class DelayOrder : IComparer<Message>
        {
            public int Compare(Message a, Message b)
            {
                int byEnd = a.DelayEnd.CompareTo(b.DelayEnd);
                return byEnd != 0 ? byEnd : a.DelayNumber.CompareTo(b.DelayNumber);
            }
        }
    }
}
