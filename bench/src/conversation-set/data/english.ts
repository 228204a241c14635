/** English: two people prepare the move of a bakery's order system. In the form of `../parse.ts`. */
export const englishConversation = `
> Good morning, did you sleep after the night shift?
> Four hours, that is enough for a meeting.
> Shall we go through the move of the order system once, from the shop counter to the bakehouse?
> Yes, please. The old order system still prints every order twice, and nobody in the bakehouse trusts it.
> When does the old contract for the order system end, so that we know how much time we have?
> Thirty-first of March, with no extension.
? does the contract of the old order system get an extension
> Then the new order system has to take orders from the middle of March at the latest.
> I would keep both order systems running side by side for two weeks.
> Who prints the orders for the bakehouse while both systems run?
> Only the new one does, otherwise we would bake everything twice again.
? who prints for the bakehouse so that nothing is baked twice
> Good. How many orders did the shop have on the busiest day last year?
> Eight hundred and forty, two days before Christmas.
? how many orders did the shop have on the busiest day before Christmas
> And on a normal day the shop has about two hundred orders, half of them by telephone.
> The telephone orders worry me. Who types a telephone order into the system today?
> Whoever stands next to it, usually one of the apprentices.
? do the apprentices type the telephone orders into the system
> With the new order system, could customers order on the website instead of by telephone?
> Most could. The older customers will go on calling, and that is fine.
> Until what hour may a customer change an order for the next morning?
> Six in the evening, because the dough is set at seven.
? how late in the evening may a customer change an order for the next morning
> That should be on the order page of the website, in large letters.
> I will write the sentence for the order page tomorrow.
> How do customers pay on the website, by card or by invoice?
> Card only at the start; the hotels keep their monthly bill.
? do customers pay by card on the website at the start
> The hotels are our largest customers, so their orders must not get lost in the move.
> Agreed. Which of the hotels orders every day, even on Sunday?
> The Lindenhof does, forty rolls at half past five.
? which hotel wants rolls every day, even on Sunday
> And who delivers to the hotels on Sunday, when the driver has his day off?
> My brother, in his own van.
? who has a van and delivers to the hotels on Sunday
> Should the new system plan the delivery route for the driver as well?
> Not in the first step. The driver knows the delivery route better than any system.
> How long does the driver need for the whole delivery route on a Saturday?
> A little under two hours if the bridge is open.
? how many hours does the driver need for the delivery route on a Saturday
> The bridge will be closed for repairs in May, by the way.
> Then deliveries to the other side of the river need another plan in May.
> What did the customers across the river say about later deliveries?
> They can live with seven thirty, except the school.
? what did the customers across the river say about seven thirty
> The school kitchen opens at seven, so its bread has to be first on the route.
> Let us talk about the ovens. How many ovens are connected to the order system?
> Two of the three; the stone oven has no connector.
? how many ovens have a connector to the order system
> Can the stone oven get a connector before the move?
> The electrician says it is possible but expensive, and I would wait.
> What would the connector for the stone oven cost, did the electrician say a number?
> Around twelve hundred without the cabling.
? what does the connector for the stone oven cost without the cabling
> Then we wait until the stone oven needs a repair anyway.
> Which oven do we use for the rye bread, the stone oven or the large one?
> Always the stone one, the crust is better.
? which oven gives the rye bread a better crust
> The rye bread recipe is still only on paper, next to the flour bin.
> All recipes should be in the new system before the move, with their flour and water.
> Who has the time to type the recipes into the system?
> Nadia offered to do it on her quiet afternoons.
? who types the recipes into the system on quiet afternoons
> She knows the recipes best, and she would notice a wrong amount of salt.
> How many recipes are there, if we count those for Christmas too?
> Fifty-eight, I went through the folder last night.
? how many recipes did the folder have with those for Christmas
> That is more than I thought. The system allows one hundred recipes in our plan.
> What does the plan with one hundred recipes cost a month?
> Seventy-nine, and it includes support on weekends.
? how much a month is the plan that includes support
> Support on weekends is important, because our worst days are Saturdays.
> Where does the data of the new order system live, in this country or abroad?
> Frankfurt, with a copy in Dublin.
? is there a copy of the data of the new order system in another country
> Good enough for the tax adviser, I think. She asked about the data last week.
> What did the tax adviser want to know about the cash register?
> Whether each receipt gets its own number without gaps.
? did the tax adviser ask for a number on each receipt of the cash register
> The cash register in the shop and the order system must have the same numbers.
> How old is the cash register in the shop, does it survive the move?
> From 2014, and it does not speak to anything newer.
? since when do we have the cash register in the shop, and is there anything newer
> So we buy a new cash register together with the order system.
> I would rather rent the cash register for the first year.
> Who in the shop learns the new cash register first?
> Irina, then she shows the other two.
? who learns the new cash register first and then shows it to the shop staff
> The shop staff need half a day of training, all three at once or one after the other.
> When would a training of the shop staff hurt least?
> Any Wednesday after two, the shop is empty then.
? on which day is the shop empty enough to train the staff
> I will ask the trainer whether Wednesday afternoon is possible in February.
> Flour next. The flour supplier wants orders by e-mail instead of fax.
> Can the order system write the e-mail to the flour supplier by itself?
> It can, as soon as the stock in the flour bin is counted.
> How often do we count the stock of flour at the moment?
> Never, I look into the bin and guess.
? do we count the stock in the flour bin or guess
> That has to change, otherwise the order system orders too much flour.
> How much flour do we keep as a reserve when the supplier is late?
> Four days' worth, two hundred kilos of wheat and sixty of rye.
? how many kilos of flour are our reserve when the supplier is late
> In January the supplier was late twice because of the ice.
> What happened with the bread on the second day without flour in January?
> We borrowed from the bakery in Altdorf and paid it back in March.
? from which bakery did we borrow on the second day without flour in January
> Nice colleagues. Do they use the same order system?
> They use it since autumn and would show it to us on a Monday.
> What do they like least about the order system after half a year?
> The screen goes dark whenever somebody has floury fingers.
? why do the colleagues not like the screen of the order system
> Then we need screens with real buttons for the bakehouse.
> How many screens do we need, one for each oven or one for the whole bakehouse?
> One by the dough table and one at the back door.
? how many screens does the bakehouse need, only one by the dough table
> The back door is where the driver picks up, so he sees the orders there.
> And the network? The signal in the bakehouse is weak behind the ovens.
> What did the technician propose for the network behind the ovens?
> A cable through the old chimney, he does not believe in repeaters.
? did the technician propose a cable or something else for the network behind the ovens
> The chimney has to be swept before anybody pulls a cable through it.
> Who pays for the network, we or the owner of the building?
> Half and half, I have it in writing.
? do we have it in writing who pays for the network in the building
> Wonderful. What happens to orders when the network is down in the morning?
> Each evening at nine a list goes to the printer, so we bake from paper.
? what does the printer do for our orders when the network is down in the morning
> A paper list is how we have worked for thirty years.
> Who decides on the morning of the move whether we go back to the old system?
> You do, before four; after that we stay with whatever runs.
? who decides before four on the morning of the move
> And if the new system fails on the first Saturday?
> Then we call the support and bake the same as the Saturday before.
> The new order system also wants to know our allergens.
> Nadia has the allergens of each bread on a poster in the shop.
> She can type them together with the recipes.
> Let us fix the day of the move. Which day has the fewest orders?
> Tuesday, ever since the market moved.
? which day has the fewest orders since the market moved
> I put the move into the calendar and write to the hotels.
> Tell the hotels also which number to call if a delivery is missing.
> Which number should the hotels call for a missing delivery?
> My mobile in the first week, then the shop again.
? do the hotels call the shop or the mobile when a delivery is missing
> Last thing: the apprentices want to know whether their shifts change.
> The shifts stay as they are until summer.
> Good, that will calm them. Anything else about the order system?
> No. I am looking forward to the first morning without double printing.
> So am I. I will bring coffee for everybody on that morning.
> Make it strong, we start at three.
`;
